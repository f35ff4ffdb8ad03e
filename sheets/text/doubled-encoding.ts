import type { Trouble } from '../findings/finding.js';

/** What UTF-8 looks like that was read as Windows-1252 and written as UTF-8 again: `Ã©` for `é`. */
const pattern = /Ã[\u0080-\u00bf‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€.|Â[\u00a0-\u00bf]/;

export function isDoubled(text: string): boolean {
  return pattern.test(text);
}

/** Of a text that is doubly encoded: it is sent as it is, since only its writer knows. */
export const doubledEncoding: Omit<Trouble, 'before'> = {
  severity: 'warning',
  code: 'doubled_encoding',
  message: 'looks doubly encoded ("Ã©" for "é"); sent as it is',
};

/** Bytes of which a text has at least one where the pattern can match: a look at these is cheap. */
export const doubledMarks = ['Ã', 'Â', 'â€'].map((text) => Buffer.from(text));
