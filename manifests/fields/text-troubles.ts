import { codePoints } from '../../domain/interface-limits.js';
import type { Trouble } from '../../sheets/findings/finding.js';
import type { Suspects } from '../../sheets/text/encoding.js';

export interface TextLimits {
  /** As it is called in a message: `prompt`. */
  readonly name: string;
  readonly min?: number;
  readonly max: number;
}

/** UTF-8 read as Windows-1252 and saved again: `Ã©` for é, `â€œ` for a quote. */
const doubled = /Ã[\u0080-\u00bf‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€.|Â[\u00a0-\u00bf]/;

const none: readonly Trouble[] = [];

/** What is wrong with a text, by the interface's limits and by marks of damage. */
export function textTroubles(text: string, { name, min = 0, max }: TextLimits, suspects: Suspects): readonly Trouble[] {
  if (text.length >= min * 2 && text.length <= max && !suspects.doubled && !suspects.replaced && !suspects.nul)
    return none;
  const troubles: Trouble[] = [];
  const add = (severity: Trouble['severity'], code: string, message: string) =>
    troubles.push({ severity, code, message, before: text });
  // A character is one UTF-16 unit or two, so only texts near the limits are counted.
  const length = text.length >= min * 2 && text.length <= max ? text.length : codePoints(text);
  if (length < min) add('error', `${name}_short`, `it has ${length} of at least ${min} characters`);
  if (length > max) add('error', `${name}_long`, `it has ${length} characters; at most ${max}`);
  if (suspects.nul && text.includes('\0')) add('error', 'nul_character', 'it has a NUL character, which no text has');
  if (suspects.replaced && /\p{Surrogate}/u.test(text)) add('error', 'half_character', 'it has half a character');
  if (suspects.replaced && text.includes('\ufffd')) {
    add('warning', 'damaged_text', 'it has characters that were lost before (�); look at the original');
  }
  if (suspects.doubled && doubled.test(text)) {
    add('warning', 'doubled_encoding', 'it looks doubly encoded (as "Ã©" for "é"); it is sent as it stands');
  }
  return troubles;
}
