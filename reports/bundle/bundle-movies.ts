import {
  type BatchRow,
  type CampaignQuestion,
  type CampaignRow,
  campaignRows,
} from '../../ledger/batches/campaign-rows.js';
import { readRow } from '../../ledger/batches/rows.js';
import type { Ledger } from '../../ledger/ledger.js';
import { eachResult, type ResultRow, resultOf } from '../result-row.js';

/** A row and its film, if there is one. */
export interface BundleMovie extends ResultRow {
  /** Whose sheet the row is of. */
  readonly batchId: string;
  /** The film is of an earlier form of the row, whose newest form is not delivered. */
  readonly isEarlier: boolean;
}

/** Which rows a bundle is made of: those of one batch, or a campaign as it stands over all its batches. */
export type BundleSubject =
  | { readonly kind: 'batch'; readonly batchId: string }
  | ({ readonly kind: 'campaign' } & CampaignQuestion);

export async function* bundleMovies(
  ledger: Ledger,
  subject: BundleSubject,
): AsyncGenerator<BundleMovie, void, undefined> {
  if (subject.kind === 'batch') {
    const { batchId } = subject;
    for await (const result of eachResult(ledger, batchId)) yield { ...result, batchId, isEarlier: false };
    return;
  }
  for (const row of await campaignRows(ledger, subject)) yield await campaignMovie(ledger, row);
}

async function campaignMovie(ledger: Ledger, { film, newest }: CampaignRow): Promise<BundleMovie> {
  const last = await movieAt(ledger, newest);
  if (film === null || last.files.length > 0) return { ...last, isEarlier: false };
  return { ...(await movieAt(ledger, film)), isEarlier: true };
}

async function movieAt(ledger: Ledger, { batchId, rowKey }: BatchRow): Promise<Omit<BundleMovie, 'isEarlier'>> {
  return { ...(await resultOf(ledger, await readRow(ledger, batchId, rowKey))), batchId };
}
