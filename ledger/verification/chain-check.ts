import type { Kysely, Selectable } from 'kysely';
import { byPages } from '../database/paging.js';
import type { EntriesTable, Tables } from '../database/tables.js';
import { type ChainEnd, entryHash } from '../money/entry-chain.js';
import type { CorrectedBatch } from '../money/invoices.js';
import { eventsOf } from './audit-events.js';
import { type BookFault, batchFault } from './ledger-fault.js';

/** How far a batch's entries were at some moment, and who says so. */
export interface ChainAnchor extends ChainEnd {
  readonly batchId: string;
  readonly from: string;
}

const pageSize = 2_000;

/**
 * Recomputes the chain of entries of every batch, and compares it with how far it was by records of the audit and by
 * proofs from outside.
 */
export async function checkEntryChains(
  db: Kysely<Tables>,
  outside: readonly ChainAnchor[],
): Promise<readonly BookFault[]> {
  const anchors = anchorsByPlace([...outside, ...(await recordedEnds(db))]);
  const faults: BookFault[] = [...(await unchained(db))];
  let [batchId, seq, head, broken] = ['', 0, '', false];
  for await (const entry of entriesByBatch(db)) {
    if (entry.batch_id !== batchId) [batchId, seq, head, broken] = [entry.batch_id, 0, '', false];
    if (broken) continue;
    seq += 1;
    head = entryHash(entry, head);
    const anchored = anchors.get(batchId)?.get(seq);
    anchors.get(batchId)?.delete(seq);
    if (entry.batch_seq !== seq || entry.hash !== head) {
      broken = true;
      faults.push(
        batchFault('entry_chain', batchId, `entry ${seq} is missing, changed or out of its place`, entry.row_key),
      );
    } else if (anchored && anchored.head !== head) {
      broken = true;
      faults.push(batchFault('entries_replaced', batchId, `entry ${seq} is not the one that ${anchored.from} has`));
    }
    if (broken) anchors.delete(batchId);
  }
  for (const [of, left] of anchors) {
    const furthest = [...left.values()].sort((one, other) => other.count - one.count)[0];
    if (furthest)
      faults.push(batchFault('entries_cut', of, `by ${furthest.from} it has ${furthest.count} entries or more`));
  }
  return faults;
}

async function unchained(db: Kysely<Tables>): Promise<readonly BookFault[]> {
  const entries = await db
    .selectFrom('entries')
    .select(['entry_id', 'batch_id', 'row_key'])
    .where((eb) => eb.or([eb('batch_seq', 'is', null), eb('batch_seq', '<', 1)]))
    .execute();
  return entries.map(({ entry_id, batch_id, row_key }) =>
    batchFault('entry_chain', batch_id, `entry ${entry_id} has no place in it`, row_key),
  );
}

function anchorsByPlace(anchors: readonly ChainAnchor[]): Map<string, Map<number, ChainAnchor>> {
  const byBatch = new Map<string, Map<number, ChainAnchor>>();
  for (const anchor of anchors) {
    if (anchor.count === 0) continue;
    const places = byBatch.get(anchor.batchId) ?? new Map<number, ChainAnchor>();
    byBatch.set(anchor.batchId, places.set(anchor.count, anchor));
  }
  return byBatch;
}

async function recordedEnds(db: Kysely<Tables>): Promise<readonly ChainAnchor[]> {
  return (await eventsOf(db, ['close', 'unsettled', 'reconcile'])).flatMap(({ seq, act, object, detail }) => {
    const from = `audit record ${seq}`;
    // Written by reconcileInvoice and closeIfSettled; older records have neither.
    if (act === 'reconcile') {
      const corrected = (detail.batches ?? []) as readonly CorrectedBatch[];
      return corrected.map(({ batch: batchId, count, head }) => ({ batchId, count, head, from }));
    }
    const end = detail.entries as ChainEnd | undefined;
    return end ? [{ batchId: object, count: end.count, head: end.head, from }] : [];
  });
}

function entriesByBatch(db: Kysely<Tables>) {
  type Entry = Selectable<EntriesTable>;
  return byPages<Entry, Pick<Entry, 'batch_id' | 'batch_seq'>>({
    pageSize,
    first: { batch_id: '', batch_seq: 0 },
    keyOf: ({ batch_id, batch_seq }) => ({ batch_id, batch_seq }),
    read: ({ batch_id, batch_seq }) =>
      db
        .selectFrom('entries')
        .selectAll()
        .where((eb) =>
          eb.or([
            eb('batch_id', '>', batch_id),
            eb.and([eb('batch_id', '=', batch_id), eb('batch_seq', '>', batch_seq)]),
          ]),
        )
        .orderBy('batch_id')
        .orderBy('batch_seq')
        .limit(pageSize)
        .execute(),
  });
}
