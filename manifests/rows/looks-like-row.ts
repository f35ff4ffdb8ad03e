import type { Column } from '../../sheets/column.js';
import { readAspectRatio } from '../fields/aspect-ratio.js';
import { readDuration } from '../fields/duration.js';
import { rowKeyRule } from './row-key.js';

/** Whether cells have an id, a prompt and a length or ratio, each in its column: a row of a manifest. */
export function looksLikeRow(cells: readonly string[], columns: readonly Column[]): boolean {
  const cellOf = (field: string) => {
    const index = columns.findIndex(({ use }) => use.kind === 'field' && use.field === field);
    return index === -1 ? null : (cells[index]?.replaceAll('"', '').trim() ?? null);
  };
  const id = cellOf('id');
  const prompt = cellOf('prompt');
  if (id === null || !rowKeyRule.test(id) || prompt === null || prompt.length < 10) return false;
  const ratio = cellOf('aspect_ratio');
  const duration = cellOf('duration_seconds');
  if (ratio && 'ratio' in readAspectRatio(ratio)) return true;
  return Boolean(duration && 'seconds' in readDuration(duration));
}
