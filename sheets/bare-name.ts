/** Strips what people vary in a header: case, blanks of any kind, `_`, `-`, invisible characters, a unit of seconds. */
export function bareName(header: string): string {
  return header
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_\-\u200b-\u200f\u2060\ufeff]+/g, '')
    .replace(/[([]?(?<=[([])(?:s|secs?|seconds?|sec\.)[)\]]$/, '');
}
