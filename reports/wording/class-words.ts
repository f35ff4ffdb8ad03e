import type { RowClass } from '../../domain/row-class.js';
import type { ClassSummary } from './plan-summary.js';

/** What people call the class of a row in a plan. */
export const classWords: Readonly<Record<RowClass, string>> = {
  new: 'new',
  respend: 'respend',
  failed_before: 'failed before',
  redo: 'redo',
  duplicate: 'duplicate?',
  unchanged: 'unchanged',
  open: 'in another batch',
  open_changed: 'in another batch',
  unknown: 'unknown',
};

/** Why the rows of a class are ordered or not, and what would order them. */
export function classNote({ class: rowClass, ordered, changed, states, batches }: ClassSummary): string {
  switch (rowClass) {
    case 'new':
      return '';
    case 'respend':
      return `paid before, changed since (${counted(changed)}); ${ordered ? 'asked with --respend' : '--respend orders them again'}`;
    case 'failed_before': {
      const flag = `--include ${[...states.keys()].join(',')}`;
      return `${counted(states)}; ${ordered ? `asked with ${flag}` : `${flag} orders them again`}`;
    }
    case 'redo':
      return `delivered in ${named(batches)}, and a review asks for them again`;
    case 'duplicate':
      return ordered
        ? 'same content as another row; asked with --allow-duplicates'
        : `same content is ordered in ${named(batches)}; --allow-duplicates orders it again`;
    case 'unchanged':
      return 'not ordered again';
    case 'open':
      return `in ${named(batches)}, not here`;
    case 'open_changed':
      return `an earlier form is in progress in ${named(batches)}; wait until it ends`;
    case 'unknown':
      return 'an earlier order may exist; see greenlight unknown list';
    default:
      return rowClass satisfies never;
  }
}

function counted(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([name, rows]) => `${name} ${rows}`).join(', ');
}

function named(batches: ReadonlyMap<string, number>): string {
  const names = [...batches.keys()];
  return names.length <= 2 ? names.join(' and ') : `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`;
}
