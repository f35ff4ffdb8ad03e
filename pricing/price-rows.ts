import pLimit from 'p-limit';
import type { MovieApi } from '../api/movie-api.js';
import type { Brief } from '../domain/brief.js';
import { movieOrder } from '../domain/movie-request.js';
import { PricingInterrupted, troubleOf } from './pricing-trouble.js';
import { type RemoteFiles, referenceUploader, type Uploads } from './reference-uploader.js';

/** The service's price for a row, as stated: whether it is acceptable is a money rule. */
export interface RowPrice {
  readonly rowKey: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly credits: number;
  readonly runtimeSeconds: number;
  readonly assumptions: readonly string[];
}

export interface RowProblem {
  readonly rowKey: string;
  /** The message, without the name of the row. */
  readonly problem: string;
  /** Whether the service had a passing fault: a retry may price the row. */
  readonly passing: boolean;
}

export type PricedRow = RowPrice | RowProblem;

export interface PriceRowsOptions {
  readonly api: Pick<MovieApi, 'uploadReference' | 'estimateMovie'>;
  readonly uploads: Uploads;
  readonly remoteFiles: RemoteFiles;
  readonly briefs: readonly Brief[];
  /** As in the orders, so that an address which the service refuses shows before anything is approved. */
  readonly webhookUrl?: string | null;
  /** Maximum concurrent requests. */
  readonly concurrency: number;
  readonly signal?: AbortSignal | undefined;
  /** Called after each row, for progress. */
  readonly onRow?: ((row: PricedRow) => void) | undefined;
}

/** This many consecutive rows without an answer are not the rows' fault: the service is unavailable. */
const troublesInARow = 5;

/**
 * Uploads what the rows refer to, once per content, and asks the service what each movie would cost. Creates nothing.
 * A row that the service refuses, or whose file cannot be used, gets its own problem; the others are not held up.
 *
 * @throws PricingInterrupted when the service as a whole refuses or cannot be reached; it carries the rows done so far.
 */
export async function priceRows(options: PriceRowsOptions): Promise<readonly PricedRow[]> {
  const { briefs, concurrency, signal, onRow } = options;
  const stop = new AbortController();
  const anySignal = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  const price = rowPricer(options, anySignal);
  const priced: PricedRow[] = [];
  let interrupted: unknown;
  /** Distinct errors, since one failed upload fails every row that needs it. */
  const inARow = new Set<unknown>();

  async function take(brief: Brief): Promise<void> {
    if (anySignal.aborted) return;
    try {
      add(await price(brief));
      inARow.clear();
    } catch (error) {
      if (anySignal.aborted) return;
      const trouble = troubleOf(error);
      if (trouble.kind === 'passing') inARow.add(error);
      if (trouble.kind === 'service' || inARow.size >= troublesInARow) {
        interrupted = error;
        stop.abort();
        return;
      }
      if (trouble.kind === 'row') inARow.clear();
      add({ rowKey: brief.rowKey, problem: trouble.problem, passing: trouble.kind === 'passing' });
    }
  }

  function add(row: PricedRow): void {
    priced.push(row);
    onRow?.(row);
  }

  const limit = pLimit(concurrency);
  await limit.map(briefs, take);
  signal?.throwIfAborted();
  if (interrupted !== undefined) throw new PricingInterrupted(interrupted, priced);
  return priced;
}

function rowPricer({ api, uploads, remoteFiles, webhookUrl = null }: PriceRowsOptions, signal: AbortSignal) {
  const referenceId = referenceUploader({ api, uploads, remoteFiles, signal });
  return async (brief: Brief): Promise<RowPrice> => {
    const referenceIds = new Map<string, string>();
    for (const reference of brief.references) {
      const { source } = reference;
      if (source.kind !== 'id') referenceIds.set(source.sha256 ?? '', await referenceId({ ...reference, source }));
    }
    const estimate = await api.estimateMovie(movieOrder(brief, { referenceIds, webhookUrl }), { signal });
    return {
      rowKey: brief.rowKey,
      amountMinor: estimate.amount_minor,
      currency: estimate.currency.toUpperCase(),
      credits: estimate.estimated_credits,
      runtimeSeconds: estimate.estimated_runtime_seconds,
      assumptions: estimate.assumptions,
    };
  };
}
