import { formatAmount, formatMoney } from '../../domain/money.js';
import type { BatchStatus } from '../../operations/batches.js';
import { invoicedWords } from '../../reports/wording/batch-words.js';
import { Bar, type Fill, Key } from '../parts/bar.js';

interface Part {
  readonly fill: Fill;
  readonly word: string;
  readonly value: number;
}

/** Where the approved amount is: spent, held for orders under way, and not drawn yet. */
export function MoneyCard({ status, assumed }: { readonly status: BatchStatus; readonly assumed: string }) {
  const { batch } = status;
  const { currency, approved, posted, refunded, overrun } = batch.money;
  const amount = (amountMinor: number) => formatAmount({ amountMinor, currency });
  const parts = partsOf(batch.money);
  const invoiced = invoicedWords(status.invoiced);
  const isApproved = batch.decision?.kind === 'approved';
  const asked = formatMoney({ amountMinor: batch.totalMinor ?? 0, currency });
  return (
    <section class="card" aria-labelledby="money" data-part="money">
      <div class="row">
        <h2 id="money">Money</h2>
        <span class="end soft small">{assumed}</span>
      </div>
      {isApproved ? (
        <p class="figure">
          {amount(posted)} <small>of {formatMoney({ amountMinor: approved, currency })} approved</small>
        </p>
      ) : (
        <p class="figure">
          {batch.totalMinor === null ? '–' : asked} <small>asked for, nothing approved</small>
        </p>
      )}
      <Bar
        label={`${parts.map(({ word, value }) => `${word} ${amount(value)}`).join(', ')} ${currency}`}
        segments={parts}
        size="fat"
      />
      <ul class="legend">
        {parts.map(({ fill, word, value }) => (
          <li>
            <Key fill={fill} />
            {word} <b>{amount(value)}</b>
          </li>
        ))}
        {refunded !== 0 && (
          <li>
            refunded (assumed) <b>{amount(refunded)}</b>
          </li>
        )}
        {overrun !== 0 && (
          <li>
            <Key fill="overrun" />
            overrun <b>{amount(overrun)}</b>
          </li>
        )}
        {invoiced && <li class="soft">invoiced {invoiced}</li>}
      </ul>
    </section>
  );
}

function partsOf({ approved, posted, held, unknown, returned }: BatchStatus['batch']['money']): readonly Part[] {
  const left = approved - posted - held - returned;
  const parts: readonly Part[] = [
    { fill: 'posted', word: 'posted', value: posted },
    { fill: 'held', word: 'held', value: held - unknown },
    { fill: 'unknown', word: 'held for unknown orders', value: unknown },
    { fill: 'rest', word: 'not ordered yet', value: left },
    { fill: 'rest', word: 'returned', value: returned },
  ];
  return parts.filter(({ word, value }) => value !== 0 || word === 'posted');
}
