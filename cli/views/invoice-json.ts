import type { InvoiceMatch, MatchedMovie, StrangeMovie } from '../../ledger/money/invoice-match.js';
import { type InvoiceSums, type KindSum, sumInvoice } from '../../reports/invoice-sums.js';

/** `reconcile --json`: every movie of the invoice and of the books, by kind, and their sums by currency. */
export function invoiceJson(match: InvoiceMatch, about: Readonly<Record<string, unknown>>) {
  return {
    ...about,
    sums: sumInvoice(match).map(sumsJson),
    matched: match.matched.map(movieJson),
    different: match.different.map(movieJson),
    missing_here: match.missingHere.map(strangeJson),
    missing_there: match.missingThere.map(movieJson),
    read_before: match.readBefore.map(({ number, readAtMs }) => ({ number, at: new Date(readAtMs).toISOString() })),
  };
}

function sumsJson({ currency, matched, different, missingHere, missingThere, all }: InvoiceSums) {
  return {
    currency,
    matched: sumJson(matched),
    different: sumJson(different),
    missing_here: sumJson(missingHere),
    missing_there: sumJson(missingThere),
    all: sumJson(all),
  };
}

function sumJson({ movies, bookedMinor, invoicedMinor, overrunMinor }: KindSum) {
  return { movies, booked_minor: bookedMinor, invoiced_minor: invoicedMinor, overrun_minor: overrunMinor };
}

function movieJson({ movieId, batchId, rowKey, currency, bookedMinor, invoicedMinor, overrunMinor }: MatchedMovie) {
  return {
    ...{ movie_id: movieId, batch: batchId, id: rowKey, currency },
    ...{ booked_minor: bookedMinor, invoiced_minor: invoicedMinor, overrun_minor: overrunMinor },
  };
}

function strangeJson({ movieId, idempotencyKey, currency, invoicedMinor, description, row, order }: StrangeMovie) {
  return {
    ...{
      movie_id: movieId,
      idempotency_key: idempotencyKey,
      currency,
      invoiced_minor: invoicedMinor,
      description,
      row,
    },
    order: order && { batch: order.batchId, id: order.rowKey, money: order.money },
  };
}
