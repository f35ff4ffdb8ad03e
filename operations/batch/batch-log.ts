import { assertSeesBatch } from '../../ledger/access/sight.js';
import { readBatch } from '../../ledger/batches/batches.js';
import { type TimelineItem, timeline } from '../../ledger/progress/timeline.js';
import { answerWords } from '../../reports/wording/answer-words.js';
import { actSentence } from '../../reports/wording/audit-words.js';
import { rowStateWords } from '../../reports/wording/state-words.js';
import type { EventKind, WorkEvent } from '../../reports/wording/work-event.js';
import type { BatchLook } from '../batches.js';
import type { OperationDeps } from '../deps.js';

type Books = Pick<OperationDeps, 'ledger'>;

/** The newest events of a batch, oldest of them first. */
export async function newestEvents(
  { ledger }: Books,
  { batchId, actor, limit }: BatchLook & { readonly limit: number },
): Promise<readonly WorkEvent[]> {
  await assertSeesBatch(ledger.db, actor, batchId);
  await readBatch(ledger, batchId);
  const items = await timeline(ledger.db, batchId, { order: 'newest first', limit });
  return items
    .slice(0, limit)
    .reverse()
    .map((item) => eventOf(batchId, item));
}

const pageSize = 2_000;
/** A transaction may become visible after a later one, so this last stretch is read once more. */
const overlapMs = 10_000;

/** Reads all events from a moment on, and new ones at each further call; none twice. */
export class BatchLog {
  readonly #books: Books;
  readonly #look: BatchLook;
  #fromMs: number;
  #seen = new Map<string, number>();

  constructor(books: Books, look: BatchLook, fromMs = 0) {
    this.#books = books;
    this.#look = look;
    this.#fromMs = fromMs;
  }

  /**
   * Returns the next page of events, oldest first; empty when there are no more at present.
   *
   * @throws LedgerError `unknown_batch`, or `not_allowed` for a batch of somebody else's campaign.
   */
  async next(): Promise<readonly WorkEvent[]> {
    const { ledger } = this.#books;
    const { batchId, actor } = this.#look;
    await assertSeesBatch(ledger.db, actor, batchId);
    for (let limit = pageSize; ; limit *= 4) {
      const items = await timeline(ledger.db, batchId, { fromMs: this.#fromMs, order: 'oldest first', limit });
      // If a kind was cut off, events of the others after its end come with the next page.
      const untilMs = endOfPage(items, limit);
      const fresh = items.filter(({ key, atMs }) => atMs <= untilMs && !this.#seen.has(key));
      // A whole page of one moment: only a longer page gets past it.
      if (fresh.length === 0 && items.length >= limit) continue;
      for (const { key, atMs } of fresh) this.#seen.set(key, atMs);
      const lastMs = fresh.at(-1)?.atMs ?? this.#fromMs;
      this.#fromMs = Math.max(this.#fromMs, Math.min(lastMs, ledger.clock() - overlapMs));
      for (const [key, atMs] of this.#seen) if (atMs < this.#fromMs) this.#seen.delete(key);
      return fresh.map((item) => eventOf(batchId, item));
    }
  }
}

function endOfPage(items: readonly TimelineItem[], limit: number): number {
  const ends = (['act', 'answer', 'end'] as const).map((kind) => {
    const ofKind = items.filter((item) => item.kind === kind);
    return ofKind.length < limit ? Number.POSITIVE_INFINITY : (ofKind.at(-1)?.atMs ?? 0);
  });
  return Math.min(...ends);
}

function eventOf(batchId: string, item: TimelineItem): WorkEvent {
  const { atMs } = item;
  switch (item.kind) {
    case 'act': {
      const { act, actor, detail } = item;
      const words = actSentence({ act, actor: { name: actor, channel: 'system' }, detail });
      return { atMs, batchId, rowKey: null, kind: 'act', detail: words };
    }
    case 'answer': {
      const { rowKey, answer, requestId } = item;
      const words = answerWords(answer);
      const request = requestId === null || words.includes(requestId) ? '' : ` (request ${requestId})`;
      return { atMs, batchId, rowKey, kind: answer.kind === 'movie' ? 'ordered' : 'answered', detail: words + request };
    }
    case 'end': {
      const { rowKey, state, reason, verdict } = item;
      const kind = endKinds.find((one) => one === state) ?? 'act';
      const words = [kind === 'act' ? rowStateWords[state] : '', reason ?? verdict ?? ''].filter((word) => word !== '');
      return { atMs, batchId, rowKey, kind, detail: words.join(': ') };
    }
    default:
      return item satisfies never;
  }
}

const endKinds = ['delivered', 'failed', 'rejected', 'canceled', 'lost'] as const satisfies readonly EventKind[];
