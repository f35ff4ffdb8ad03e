import { lazyRequire } from './lazy-require.js';

/** What most lines are made of: as many columns as characters. */
const plain = /^[ -~]*$/;

/** Columns that a text takes on a terminal. */
export function widthOf(text: string): number {
  if (plain.test(text)) return text.length;
  const { default: stringWidth } = lazyRequire('string-width') as typeof import('string-width');
  return stringWidth(text);
}
