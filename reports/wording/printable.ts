/** What moves the cursor, changes colours or turns text around: none of it may come out of a sheet or a service. */
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const unprintable = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/g;

/** Somebody else's words on one line of a terminal. */
export function printable(text: string): string {
  return text.replace(unprintable, ' ').trim();
}
