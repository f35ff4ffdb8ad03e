import { LedgerError } from '../ledger-error.js';

/** What is asked for is in the file of an archived batch. */
export function inArchivedFile(batchId: string): LedgerError {
  return new LedgerError(
    'archived',
    `Cannot show this of ${batchId}: it was archived, and its briefs, answers and files are listed in the archive only; ` +
      `bring it back with "greenlight archive-batches --restore ${batchId}"`,
  );
}

/** A brief is never empty: archiving its batch left it so. */
export function isInArchivedFile({ brief }: { readonly brief: string }): boolean {
  return brief === '';
}
