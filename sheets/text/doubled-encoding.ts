import type { Trouble } from '../findings/finding.js';

/** Matches UTF-8 that was read as Windows-1252 and written as UTF-8 again: `Ã©` for `é`. */
const pattern = /Ã[\u0080-\u00bf‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€.|Â[\u00a0-\u00bf]/;

export function isDoubled(text: string): boolean {
  return pattern.test(text);
}

/** The finding about a doubly encoded text: it is sent as it is, since only its writer knows. */
export const doubledEncoding: Omit<Trouble, 'before'> = {
  severity: 'warning',
  code: 'doubled_encoding',
  message: 'looks doubly encoded ("Ã©" for "é"); sent as it is',
};

/** A text that the pattern can match has at least one of these bytes, which are cheap to find. */
export const doubledMarks = ['Ã', 'Â', 'â€'].map((text) => Buffer.from(text));
