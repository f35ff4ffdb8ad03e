import type { RowState } from '../../domain/row-state.js';
import type { DeskHealth, WorkerListed } from '../../operations/health/desk-health.js';
import { MoneyTable } from '../parts/money-table.js';
import { When } from '../parts/time.js';

/** Who makes the movies, and what came of it in the last hour. */
export function WorkersCard({ workers, lastHour }: Pick<DeskHealth, 'workers' | 'lastHour'>) {
  return (
    <section class="card" aria-labelledby="workers">
      <h2 id="workers">Workers</h2>
      {workers === null ? (
        <p class="soft">Temporal does not answer, so the workers are not known.</p>
      ) : workers.length === 0 ? (
        <p class="soft">
          No worker asks for work. <code>greenlight worker</code> starts one.
        </p>
      ) : (
        <Workers workers={workers} />
      )}
      <h3>The last hour</h3>
      <LastHour lastHour={lastHour} />
    </section>
  );
}

const shown = 50;
const queueWords = { making: 'making', orders: 'orders at a rate' } as const;

function Workers({ workers }: { readonly workers: readonly WorkerListed[] }) {
  return (
    <>
      <table class="t tight">
        <caption class="vh">Workers, and when each asked for work last</caption>
        <thead>
          <tr>
            <th scope="col">Worker</th>
            <th scope="col" class="lo">
              Version
            </th>
            <th scope="col" class="n">
              Last seen
            </th>
          </tr>
        </thead>
        <tbody>
          {workers.slice(0, shown).map(({ name, queues, build, lastSeenMs, isAlive }) => (
            <tr>
              <th scope="row" class="any">
                {name}
                <span class="sub">{queues.map((queue) => queueWords[queue]).join(', ')}</span>
                <span class="sub m">{build ?? 'version not told'}</span>
              </th>
              <td class="lo soft any">{build ?? 'not told'}</td>
              <td class="n">
                <When atMs={lastSeenMs} />
                {!isAlive && <span class="sub">no longer asks</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {workers.length > shown && <p class="soft small">and {workers.length - shown} more</p>}
    </>
  );
}

const ends: readonly RowState[] = ['delivered', 'failed', 'rejected', 'canceled', 'lost'];

function LastHour({ lastHour: { accepted, givenBack, ended } }: Pick<DeskHealth, 'lastHour'>) {
  const counts: readonly (readonly [string, number])[] = [
    ['Orders accepted', accepted],
    ['Orders that created nothing', givenBack],
    ...ends.map((state) => [`Rows ${state}`, ended[state] ?? 0] as const),
  ];
  const some = counts.filter(([, count]) => count > 0);
  if (some.length === 0) return <p class="soft">Nothing was ordered, and nothing ended.</p>;
  return (
    <MoneyTable
      caption="What all workers did in the last hour"
      head="What"
      columns={['Rows']}
      rows={some.map(([name, count]) => ({ name, cells: [count.toLocaleString('en-US')] }))}
      tight
    />
  );
}
