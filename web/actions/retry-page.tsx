import { formatAmount, formatMoney } from '../../domain/money.js';
import type { BatchStatus, listRowLines } from '../../operations/batches.js';
import { rowsText } from '../../reports/wording/state-words.js';
import type { KeptAnswer } from '../errors/kept-answer.js';
import type { Frame } from '../parts/frame.js';
import { A } from '../parts/link.js';
import { RowStateMark } from '../parts/state.js';
import { ActionPage } from './action-page.js';
import type { Selection } from './selection.js';

interface RetryPageProps {
  readonly frame: Frame;
  readonly act: 'retry' | 'refetch';
  readonly batch: BatchStatus['batch'];
  readonly selection: Selection;
  readonly rows: Awaited<ReturnType<typeof listRowLines>>;
  readonly kept: KeptAnswer | undefined;
}

const shownRows = 100;

/** Rows without a movie, and what asking for them again costs: a retry the price of new orders, a refetch nothing. */
export function RetryPage({ frame, act, batch, selection, rows, kept }: RetryPageProps) {
  const { batchId, money } = batch;
  const { currency } = money;
  const total = rows.reduce((sum, { amountMinor }) => sum + (amountMinor ?? 0), 0);
  const price = formatMoney({ amountMinor: total, currency });
  const isRetry = act === 'retry';
  return (
    <ActionPage
      {...{ frame, batchId, kept, reason: 'none' }}
      title={isRetry ? `Order ${rowsText(rows.length)} again?` : `Ask for the files of ${rowsText(rows.length)} again?`}
      lede={
        isRetry
          ? `${rows.length === 1 ? 'It becomes' : 'They become'} a new batch with its own price and approval. ${rows.length === 1 ? 'It' : 'They'} cost ${price} last time, which stays paid. Nothing is ordered yet.`
          : 'The service is asked once more for the files of movies that are paid and finished. It costs nothing.'
      }
      to={`/batches/${batchId}/${act}`}
      fields={{ ...selection.fields, shown: String(rows.length) }}
      button={isRetry ? `Plan ${rowsText(rows.length)} again` : 'Ask again'}
      nothing={rows.length > 0 ? undefined : isRetry ? 'No row failed, was canceled or is lost.' : 'No row is lost.'}
    >
      {rows.length > 0 && (
        <section class="card flush" aria-labelledby="rows">
          <div class="row">
            <h2 id="rows">The rows</h2>
            {rows.length > shownRows && <span class="end soft small">the first {shownRows}</span>}
          </div>
          <table class="t tight">
            <caption class="vh">Selected rows</caption>
            <thead>
              <tr>
                <th scope="col">Id</th>
                <th scope="col">State</th>
                <th scope="col" class="lo">
                  Why
                </th>
                <th scope="col" class="n">
                  {currency}
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, shownRows).map(({ rowKey, state, verdict, reason, amountMinor }) => (
                <tr>
                  <th scope="row">
                    <A to={`/batches/${batchId}/rows/${encodeURIComponent(rowKey)}`}>{rowKey}</A>
                  </th>
                  <td>
                    <RowStateMark state={state} verdict={verdict} />
                  </td>
                  <td class="lo soft">{reason}</td>
                  <td class="n">{amountMinor === null ? '–' : formatAmount({ amountMinor, currency })}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </ActionPage>
  );
}
