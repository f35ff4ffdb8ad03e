import type { DeskHealth } from '../../operations/health/desk-health.js';
import { Bar } from '../parts/bar.js';
import { A } from '../parts/link.js';
import { MoneyTable } from '../parts/money-table.js';

/** How many movies are in progress at the service, and whose. */
export function PlacesCard({ places }: Pick<DeskHealth, 'places'>) {
  if (places === null || places.taken === 0) {
    return (
      <section class="card" aria-labelledby="places">
        <h2 id="places">In progress</h2>
        <p class="soft">No movie is in progress at the service.</p>
      </section>
    );
  }
  const { limit, taken, holders } = places;
  const most = limit === null ? '' : ` of at most ${limit.toLocaleString('en-US')}`;
  const figures = `${taken.toLocaleString('en-US')}${most}`;
  return (
    <section class="card" aria-labelledby="places">
      <div class="row">
        <h2 id="places">In progress</h2>
        <span class="end soft small">{figures}</span>
      </div>
      <Bar
        label={`Movies in progress: ${figures}`}
        total={limit ?? taken}
        segments={[
          { fill: 'making', value: taken },
          { fill: 'rest', value: Math.max(0, (limit ?? taken) - taken) },
        ]}
      />
      <MoneyTable
        caption="Movies in progress by batch"
        head="Batch"
        columns={['Movies']}
        rows={holders.map(({ batchId, rows }) => ({
          name: <A to={`/batches/${batchId}`}>{batchId}</A>,
          cells: [rows.toLocaleString('en-US')],
        }))}
        tight
      />
    </section>
  );
}
