import { type Finding, findingAt, wholeFile } from '../findings/finding.js';
import { isUtf8Name, type TextEncoding } from './encoding.js';

/** Reports any encoding but UTF-8, unless it was asked for. */
export function encodingFindings({ name, known, sample = [] }: TextEncoding): readonly Finding[] {
  if (isUtf8Name(name) || known === 'asked') return [];
  const message = `decoded as ${name}${known === 'guess' ? guessed(name, sample) : ''}; UTF-8 is safer`;
  return [findingAt(wholeFile, { severity: 'warning', code: 'encoding', message, after: name })];
}

/** The words by which a person can tell whether it is right. */
function guessed(name: string, sample: readonly string[]): string {
  const words = sample.map((word) => `"${word}"`).join(', ');
  return `, a guess: ${words === '' ? '' : `its words are ${words}; `}--encoding ${name} confirms it, another name corrects it`;
}
