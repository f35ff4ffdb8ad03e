import type { AspectRatio } from '../../domain/brief.js';
import type { Trouble } from '../../sheets/findings/finding.js';
import type { MatrixAxis } from '../tables/table.js';
import { slugOf } from './row-key.js';

/** One movie of a row: the cells that differ in it, and its id. */
export interface Variant {
  readonly rowKey: string;
  readonly ratio: AspectRatio | null;
  /** Values of the matrix, by column. */
  readonly values: ReadonlyMap<number, string>;
}

export interface Expansion {
  readonly variants: readonly Variant[];
  readonly trouble: Trouble | null;
}

/** The most movies that a batch takes; one row must not ask for more. */
export const maxBriefs = 200_000;

/**
 * Makes one movie for each ratio and each combination of the matrix, in that order, the axes by name. The id gets a
 * suffix for each axis that has more than one value: `hero-16x9-de`.
 */
export function expandRow(
  id: string,
  ratios: readonly (AspectRatio | null)[],
  matrix: readonly MatrixAxis[],
): Expansion {
  if (ratios.length === 1 && matrix.length === 0) {
    return { variants: [{ rowKey: id, ratio: ratios[0] ?? null, values: noValues }], trouble: null };
  }
  const product = matrix.reduce((count, { values }) => count * values.length, ratios.length);
  if (product > maxBriefs) {
    const message = `it expands to ${product} movies; a batch takes ${maxBriefs}`;
    return { variants: [], trouble: { severity: 'error', code: 'too_many_movies', message } };
  }
  let variants: Variant[] = ratios.map((ratio) => ({
    rowKey: ratio !== null && ratios.length > 1 ? `${id}-${ratio.replace(':', 'x')}` : id,
    ratio,
    values: noValues,
  }));
  for (const axis of matrix) variants = variants.flatMap((variant) => along(axis, variant));
  return { variants, trouble: null };
}

const noValues: ReadonlyMap<number, string> = new Map();

function along({ column, values }: MatrixAxis, variant: Variant): readonly Variant[] {
  return values.map((value) => ({
    ...variant,
    rowKey: values.length > 1 ? `${variant.rowKey}-${slugOf(value)}` : variant.rowKey,
    values: new Map(variant.values).set(column, value),
  }));
}
