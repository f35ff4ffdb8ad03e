import { formatAmount } from '../../domain/money.js';
import type { InvoicePreview } from '../../operations/money/invoice-uploads.js';
import { type InvoiceSums, sumInvoice } from '../../reports/invoice-sums.js';
import { MoneyTable } from '../parts/money-table.js';

const kinds = [
  ['matched', 'Matched'],
  ['different', 'Different'],
  ['missingHere', 'Not in the ledger'],
  ['missingThere', 'Not on the invoice'],
] as const;

/** The sums by kind, a table for each currency: two are never added. */
export function SumsCard({ match }: Pick<InvoicePreview, 'match'>) {
  return (
    <section class="card flush" aria-labelledby="sums">
      <div class="row">
        <h2 id="sums">Invoice and books</h2>
      </div>
      {sumInvoice(match).map((sums) => (
        <Sums sums={sums} />
      ))}
    </section>
  );
}

function Sums({ sums }: { readonly sums: InvoiceSums }) {
  const amount = (amountMinor: number) => formatAmount({ amountMinor, currency: sums.currency });
  const cells = ({ movies, bookedMinor, invoicedMinor, overrunMinor }: InvoiceSums['all']) => [
    movies.toLocaleString('en-US'),
    amount(bookedMinor),
    amount(invoicedMinor),
    amount(invoicedMinor - bookedMinor),
    amount(overrunMinor),
  ];
  return (
    <MoneyTable
      caption={`Sums in ${sums.currency}`}
      head={sums.currency}
      columns={['Movies', 'Booked', 'Invoiced', 'Difference', 'Overrun']}
      hiddenOnPhones={[1, 4]}
      rows={kinds.map(([kind, words]) => ({ name: words, cells: cells(sums[kind]) }))}
      total={{ name: 'All', cells: cells(sums.all) }}
    />
  );
}
