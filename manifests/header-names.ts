import { limits } from '../domain/interface-limits.js';
import type { ColumnUse, PlainField, ReferencePart } from './column.js';

/** Each field's own name first, then what people call it. */
const names: Readonly<Record<PlainField, readonly string[]>> = {
  id: ['id', 'row', 'row id', 'key', 'name', 'slug'],
  prompt: ['prompt', 'brief', 'text', 'script'],
  duration_seconds: ['duration_seconds', 'duration', 'length', 'seconds'],
  aspect_ratio: ['aspect_ratio', 'ratio', 'aspect', 'format', 'orientation'],
  style: ['style', 'look', 'style direction'],
};

const fieldByName: ReadonlyMap<string, PlainField> = new Map(
  Object.entries(names).flatMap(([field, aliases]) =>
    aliases.map((alias) => [bareName(alias), field as PlainField] as const),
  ),
);

const referenceName = /^(?:reference|ref|image)(\d{1,6})(url|file|path|source|role|description|desc)?$/;

/** A header without what people vary: case, blanks of any kind, `_`, `-`, invisible characters, a unit of seconds. */
export function bareName(header: string): string {
  return header
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_\-\u200b-\u200f\u2060\ufeff]+/g, '')
    .replace(/[([]?(?<=[([])(?:s|secs?|seconds?|sec\.)[)\]]$/, '');
}

/** What a header is for, or null when it is none of the known names (a reference past the limit among them). */
export function useOfHeader(header: string): ColumnUse | null {
  const bare = bareName(header);
  const field = fieldByName.get(bare);
  if (field) return { kind: 'field', field };
  const [, digits, part] = referenceName.exec(bare) ?? [];
  const number = Number(digits);
  if (digits === undefined || number < 1 || number > limits.referencesMax) return null;
  return { kind: 'reference', number, part: partOf(part) };
}

function partOf(word: string | undefined): ReferencePart {
  if (word === 'role') return 'role';
  return word === 'description' || word === 'desc' ? 'description' : 'source';
}

/** Whether a header asks for a reference that a movie cannot have, as `reference_21`. */
export function isReferencePastLimit(header: string): boolean {
  return useOfHeader(header) === null && referenceName.test(bareName(header));
}

/** The known name that a header almost is, of the fields that the sheet lacks. */
export function nearName(header: string, lacking: ReadonlySet<PlainField>): string | null {
  const bare = bareName(header);
  if (/^(?:reference|ref|image)s?$/.test(bare)) return 'reference_1';
  let best: { name: string; distance: number } | null = null;
  for (const [name, field] of fieldByName) {
    if (!lacking.has(field)) continue;
    const most = Math.max(name.length, bare.length) > 5 ? 2 : 1;
    if (Math.min(name.length, bare.length) < 4 || Math.abs(name.length - bare.length) > most) continue;
    const distance = editDistance(name, bare);
    if (distance <= most && (best === null || distance < best.distance)) best = { name: field, distance };
  }
  return best?.name ?? null;
}

/** Letters to change, add, drop or swap with their neighbour (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
