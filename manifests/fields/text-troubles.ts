import { codePoints } from '../../domain/interface-limits.js';
import type { Trouble } from '../../sheets/findings/finding.js';
import { doubledEncoding, isDoubled } from '../../sheets/text/doubled-encoding.js';
import type { DamageSigns } from '../../sheets/text/encoding.js';

export interface TextLimits {
  /** Its name in messages: `prompt`. */
  readonly name: string;
  readonly min?: number;
  readonly max: number;
}

const none: readonly Trouble[] = [];

/** Finds what is wrong with a text: beyond the interface's limits, or damaged. */
export function textTroubles(
  text: string,
  { name, min = 0, max }: TextLimits,
  damageSigns: DamageSigns,
): readonly Trouble[] {
  if (text.length >= min * 2 && text.length <= max && !damageSigns.doubled && !damageSigns.replaced && !damageSigns.nul)
    return none;
  const troubles: Trouble[] = [];
  const add = (severity: Trouble['severity'], code: string, message: string) =>
    troubles.push({ severity, code, message, before: text });
  // A character is one UTF-16 unit or two, so only texts near the limits are counted.
  const length = text.length >= min * 2 && text.length <= max ? text.length : codePoints(text);
  if (length < min) add('error', `${name}_short`, `too short: ${length} characters, at least ${min}`);
  if (length > max) add('error', `${name}_long`, `too long: ${length} characters, at most ${max}`);
  if (damageSigns.nul && text.includes('\0')) add('error', 'nul_character', 'contains a NUL character');
  if (damageSigns.replaced && /\p{Surrogate}/u.test(text))
    add('error', 'half_character', 'contains a broken character (unpaired surrogate)');
  if (damageSigns.replaced && text.includes('\ufffd')) {
    add('warning', 'damaged_text', 'contains lost characters (�); check the original');
  }
  if (damageSigns.doubled && isDoubled(text)) troubles.push({ ...doubledEncoding, before: text });
  return troubles;
}
