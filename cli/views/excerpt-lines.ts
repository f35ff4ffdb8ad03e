import type { Excerpt } from '../../manifests/read-manifest.js';
import { widthOf } from '../terminal/width-of.js';
import type { Paint } from './progress-view.js';

/** The line as it is in the file, or as much of it as there is room for, and marks below the part that is meant. */
export function excerptLines(
  { line, text, from, to }: Excerpt,
  { columns, paint }: { readonly columns: number; readonly paint: Paint },
): string[] {
  const gutter = `${String(line).padStart(6)} | `;
  const room = Math.max(20, columns - gutter.length);
  const before = narrow(text.slice(Math.max(0, from - room), from));
  const marked = narrow(text.slice(from, Math.min(to, from + room)));
  const after = narrow(text.slice(Math.max(from, to), from + room));
  const left = lastColumns(before, Math.max(Math.floor(room / 3), room - widthOf(marked + after)));
  const right = firstColumns(marked + after, room - widthOf(left));
  const marks = '^'.repeat(Math.max(1, Math.min(widthOf(marked), widthOf(right))));
  return [
    `${paint('quiet', gutter)}${left}${right}`.trimEnd(),
    `${paint('quiet', `${' '.repeat(6)} | `)}${' '.repeat(widthOf(left))}${paint('bad', marks)}`,
  ];
}

/** Each character that has no place on a line as one blank, so that the marks stay below what they mean. */
function narrow(text: string): string {
  return text.replace(/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|\p{Cs}/gu, ' ');
}

function firstColumns(text: string, columns: number): string {
  let kept = '';
  let width = 0;
  for (const character of text) {
    width += widthOf(character);
    if (width > columns) break;
    kept += character;
  }
  return kept;
}

function lastColumns(text: string, columns: number): string {
  return [...firstColumns([...text].reverse().join(''), columns)].reverse().join('');
}
