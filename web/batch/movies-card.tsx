import type { BatchStatus } from '../../operations/batches.js';
import { notOrderedWords } from '../../reports/wording/batch-words.js';
import { type CountName, countNames, countsOf, totalOf } from '../../reports/wording/state-words.js';
import { segmentsOf } from '../batches/batch-table.js';
import { Bar, type Fill, Key } from '../parts/bar.js';
import { A } from '../parts/link.js';
import { type RowsTab, rowsPath } from './rows-filter.js';

const fills: Readonly<Record<CountName, Fill>> = {
  ...{ delivered: 'delivered', saving: 'saving', 'in progress': 'making', waiting: 'rest' },
  ...{
    failed: 'failed',
    rejected: 'failed',
    lost: 'failed',
    canceled: 'failed',
    unknown: 'unknown',
    overdue: 'unknown',
  },
};

/** How many movies are where; each count leads to its rows, and all of them sum to what the batch orders. */
export function MoviesCard({ status: { batch, counts } }: { readonly status: BatchStatus }) {
  const sums = countsOf(counts);
  const shown = countNames.filter((name) => sums[name] > 0);
  const total = totalOf(sums);
  const label = shown.map((name) => `${sums[name]} ${name}`).join(', ');
  return (
    <section class="card" aria-labelledby="movies" data-part="movies">
      <div class="row">
        <h2 id="movies">Movies</h2>
        <span class="end soft small">{notOrderedWords(counts)}</span>
      </div>
      <p class="figure">
        {sums.delivered.toLocaleString('en-US')} <small>of {total.toLocaleString('en-US')} delivered</small>
      </p>
      <Bar label={label || 'no movies are ordered'} segments={segmentsOf(counts)} size="fat" />
      <ul class="legend" id="counts">
        {shown.map((name) => (
          <li>
            <A to={rowsPath(batch.batchId, noFilter, { tab: tabOf(name) })}>
              <Key fill={fills[name]} />
              {name} <b>{sums[name].toLocaleString('en-US')}</b>
            </A>
          </li>
        ))}
      </ul>
    </section>
  );
}

const noFilter = { tab: 'all', id: '', after: null } as const;

function tabOf(name: CountName): RowsTab {
  return name === 'in progress' ? 'in-progress' : name;
}
