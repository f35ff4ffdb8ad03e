import type { InvoiceMatch } from '../ledger/money/invoice-match.js';

export interface KindSum {
  readonly movies: number;
  readonly bookedMinor: number;
  readonly invoicedMinor: number;
  readonly overrunMinor: number;
}

export type InvoiceKind = (typeof kinds)[number] | 'all';

/** The sums of one currency: two are never added. */
export type InvoiceSums = Readonly<Record<InvoiceKind, KindSum>> & { readonly currency: string };

const kinds = [
  'matched',
  'different',
  'missingHere',
  'missingThere',
] as const satisfies readonly (keyof InvoiceMatch)[];
const none: KindSum = { movies: 0, bookedMinor: 0, invoicedMinor: 0, overrunMinor: 0 };

/** By currency, in the order of their letters. */
export function sumInvoice(match: InvoiceMatch): readonly InvoiceSums[] {
  const sums = new Map<string, Record<InvoiceKind, KindSum>>();
  for (const kind of kinds) {
    for (const movie of match[kind]) {
      const ofCurrency = sums.get(movie.currency) ?? {
        ...{ matched: none, different: none, missingHere: none, missingThere: none, all: none },
      };
      sums.set(movie.currency, ofCurrency);
      const { invoicedMinor } = movie;
      const [bookedMinor, overrunMinor] = 'bookedMinor' in movie ? [movie.bookedMinor, movie.overrunMinor] : [0, 0];
      for (const of of [kind, 'all'] as const) {
        ofCurrency[of] = plus(ofCurrency[of], { movies: 1, bookedMinor, invoicedMinor, overrunMinor });
      }
    }
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([currency, of]) => ({ currency, ...of }));
}

function plus(one: KindSum, other: KindSum): KindSum {
  return {
    movies: one.movies + other.movies,
    bookedMinor: one.bookedMinor + other.bookedMinor,
    invoicedMinor: one.invoicedMinor + other.invoicedMinor,
    overrunMinor: one.overrunMinor + other.overrunMinor,
  };
}
