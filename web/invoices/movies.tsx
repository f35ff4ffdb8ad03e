import { formatAmount, formatMoney } from '../../domain/money.js';
import type { InvoicePreview } from '../../operations/money/invoice-uploads.js';
import { A } from '../parts/link.js';
import { MoneyTable } from '../parts/money-table.js';

type Match = InvoicePreview['match'];
type Booked = Match['different'][number];

const shown = 100;

export function Differences({ movies }: { readonly movies: Match['different'] }) {
  return (
    <Movies
      title="Charged otherwise"
      columns={['Booked', 'Invoiced', 'Overrun']}
      rows={movies.slice(0, shown).map((movie) => {
        const { currency, bookedMinor, invoicedMinor, overrunMinor } = movie;
        const amount = (amountMinor: number) => formatAmount({ amountMinor, currency });
        return {
          name: <RowLink movie={movie} />,
          cells: [amount(bookedMinor), formatMoney({ amountMinor: invoicedMinor, currency }), amount(overrunMinor)],
        };
      })}
      more={movies.length - shown}
    />
  );
}

/** In the books, and on no invoice so far. */
export function NotOnInvoice({ movies }: { readonly movies: Match['missingThere'] }) {
  return (
    <Movies
      title="In the ledger, on no invoice"
      columns={['Booked']}
      rows={movies.slice(0, shown).map((movie) => ({
        name: <RowLink movie={movie} />,
        cells: [formatMoney({ amountMinor: movie.bookedMinor, currency: movie.currency })],
      }))}
      more={movies.length - shown}
    />
  );
}

/** On the invoice, and never posted here. An order that is held waits for exactly this proof. */
export function NotInLedger({ movies }: { readonly movies: Match['missingHere'] }) {
  return (
    <Movies
      title="On the invoice, not in the ledger"
      columns={['Invoiced']}
      rows={movies
        .slice(0, shown)
        .map(({ movieId, idempotencyKey, invoicedMinor, currency, description, row, order }) => ({
          name: (
            <>
              <span class="mono any">{movieId ?? idempotencyKey}</span>
              <span class="sub any">
                row {row}
                {order ? (
                  <>
                    , the key of{' '}
                    <A to={`/batches/${order.batchId}/rows/${encodeURIComponent(order.rowKey)}`}>
                      {order.rowKey}
                    </A>,{' '}
                    {order.money === 'released'
                      ? 'whose hold was released'
                      : 'whose outcome is unknown: resolve it there'}
                  </>
                ) : (
                  description && `, ${description}`
                )}
              </span>
            </>
          ),
          cells: [formatMoney({ amountMinor: invoicedMinor, currency })],
        }))}
      more={movies.length - shown}
    />
  );
}

function RowLink({ movie: { batchId, rowKey, movieId } }: { readonly movie: Booked }) {
  return (
    <>
      <A to={`/batches/${batchId}/rows/${encodeURIComponent(rowKey)}`}>{rowKey}</A>
      <span class="sub any">
        {batchId}, {movieId}
      </span>
    </>
  );
}

interface MoviesProps extends Pick<Parameters<typeof MoneyTable>[0], 'columns' | 'rows'> {
  readonly title: string;
  readonly more: number;
}

function Movies({ title, columns, rows, more }: MoviesProps) {
  if (rows.length === 0) return null;
  const id = title.toLowerCase().replace(/[^a-z]+/g, '-');
  return (
    <section class="card flush" aria-labelledby={id}>
      <div class="row">
        <h2 id={id}>{title}</h2>
      </div>
      <MoneyTable caption={title} head="Movie" {...{ columns, rows }} />
      {more > 0 && <p class="pad soft small">and {more.toLocaleString('en-US')} more: greenlight reconcile --json</p>}
    </section>
  );
}
