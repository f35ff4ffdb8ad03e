import { type Finding, findingAt, wholeFile } from '../findings/finding.js';
import { isUtf8Name, type TextEncoding } from './encoding.js';

/** Anything but UTF-8 is said, unless it was asked for. */
export function encodingFindings({ name, known }: TextEncoding): readonly Finding[] {
  if (isUtf8Name(name) || known === 'asked') return [];
  const guessed = known === 'guess' ? ' (a guess: --encoding names another)' : '';
  const message = `it is read as ${name}${guessed}; UTF-8 is safer`;
  return [findingAt(wholeFile, { severity: 'warning', code: 'encoding', message, after: name })];
}
