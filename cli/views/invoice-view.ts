import { formatAmount, formatMoney } from '../../domain/money.js';
import type { InvoiceMatch, MatchedMovie, StrangeMovie } from '../../ledger/money/invoice-match.js';
import { type InvoiceSums, sumInvoice } from '../../reports/invoice-sums.js';
import { printable } from '../../reports/wording/printable.js';
import { fitTable } from '../terminal/fit-table.js';
import { alignColumns } from '../terminal/text-width.js';

/** Movies of one kind that are shown one by one. */
const shownOfEach = 20;

/** An invoice beside the books: sums by kind, then every movie that is not the same in both. */
export function invoiceLines(match: InvoiceMatch, columns: number): readonly string[] {
  const { different, missingHere, missingThere } = match;
  return [
    ...sumInvoice(match).flatMap(sumLines),
    ...section('different', different.map(differentCells), columns),
    ...section('not in ledger: invoiced only', missingHere.map(strangeCells), columns),
    ...section('not on invoice: in the ledger, and on no invoice', missingThere.map(missingCells), columns),
  ];
}

const right = { align: 'right' } as const;

function sumLines({ currency, ...sums }: InvoiceSums): readonly string[] {
  const kinds = [
    ['matched', sums.matched],
    ['different', sums.different],
    ['not in ledger', sums.missingHere],
    ['not on invoice', sums.missingThere],
    ['all', sums.all],
  ] as const;
  const rows = kinds.map(([name, { movies, bookedMinor, invoicedMinor, overrunMinor }]) => {
    const difference = formatMoney({ amountMinor: invoicedMinor - bookedMinor, currency });
    const amounts = [bookedMinor, invoicedMinor].map((amountMinor) => formatAmount({ amountMinor, currency }));
    const overrun = overrunMinor > 0 ? `overrun ${formatAmount({ amountMinor: overrunMinor, currency })}` : '';
    return [name, String(movies), ...amounts, difference, overrun];
  });
  return alignColumns(
    [['', 'MOVIES', 'BOOKED', 'INVOICED', 'DIFFERENCE', ''], ...rows],
    [{}, right, right, right, right],
  );
}

function section(title: string, movies: readonly (readonly string[])[], columns: number): readonly string[] {
  if (movies.length === 0) return [];
  const shown = movies.slice(0, shownOfEach);
  const more = movies.length - shown.length;
  return [
    title,
    ...fitTable(shown, { columns, indent: '  ' }),
    ...(more === 0 ? [] : [`  and ${more.toLocaleString('en-US')} more: --json`]),
  ];
}

function differentCells(movie: MatchedMovie): readonly string[] {
  const { batchId, rowKey, movieId, currency, bookedMinor, invoicedMinor, overrunMinor } = movie;
  const amount = (amountMinor: number) => formatAmount({ amountMinor, currency });
  const change = `booked ${amount(bookedMinor)}, invoiced ${amount(invoicedMinor)} ${currency}`;
  return [
    batchId,
    rowKey,
    printable(movieId),
    overrunMinor > 0 ? `${change}, overrun ${amount(overrunMinor)}` : change,
  ];
}

function missingCells({ batchId, rowKey, movieId, currency, bookedMinor }: MatchedMovie): readonly string[] {
  return [batchId, rowKey, printable(movieId), formatMoney({ amountMinor: bookedMinor, currency })];
}

function strangeCells({ row, movieId, idempotencyKey, invoicedMinor, currency, description, order }: StrangeMovie) {
  const price = formatMoney({ amountMinor: invoicedMinor, currency });
  return [
    `row ${row}`,
    printable(movieId ?? idempotencyKey ?? ''),
    price,
    orderWords(order) || printable(description ?? ''),
  ];
}

/** An order that is held waits for proof that its movie exists: an invoice is one. */
function orderWords(order: StrangeMovie['order']): string {
  if (order === null) return '';
  const { batchId, rowKey, money } = order;
  if (money === 'released') return `the key of ${batchId} ${rowKey}, whose hold was released`;
  return `the key of ${batchId} ${rowKey}: greenlight unknown resolve ${batchId} ${rowKey} --created <movie id>`;
}
