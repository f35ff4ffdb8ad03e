/** What UTF-8 looks like that was read as Windows-1252 and written as UTF-8 again: `Ã©` for `é`. */
export const doubledEncoding = /Ã[\u0080-\u00bf‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€.|Â[\u00a0-\u00bf]/;

/** Bytes of which a text has at least one where the pattern can match: a look at these is cheap. */
export const doubledMarks = ['Ã', 'Â', 'â€'].map((text) => Buffer.from(text));
