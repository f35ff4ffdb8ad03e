import { setTimeout as sleep } from 'node:timers/promises';
import type { Actor } from '../../domain/roles.js';
import { sightOf } from '../../ledger/access/sight.js';
import { type BatchRevision, lineagesOf, liveRevisions } from '../../ledger/batches/revisions.js';
import type { OperationDeps } from '../deps.js';

/** Listens for changes of batches. */
export interface ChangeListener {
  /** Resolves with the batches that changed since the last call, or with none after a quiet while. */
  next(): Promise<readonly string[]>;
  close(): void;
}

export interface Changes {
  /** @throws LedgerError `not_allowed` for people who may see nothing at all. */
  listen(actor: Actor): Promise<ChangeListener>;
  /** The number of listeners. */
  readonly listeners: number;
}

export interface ChangesPace {
  /** Between two polls of the ledger. */
  readonly lookMs: number;
  /** After this long a listener is told that nothing happened. */
  readonly quietMs: number;
}

const usualPace: ChangesPace = { lookMs: 1_000, quietMs: 15_000 };
/** How long an ended batch is still polled. */
const endedMs = 60_000;

/**
 * Polls the ledger once a second for all listeners, and not at all while there are none. A slow listener misses nothing
 * and costs no more than the ids of the batches that changed meanwhile.
 */
export function createChanges(deps: Pick<OperationDeps, 'ledger' | 'clock'>, pace = usualPace): Changes {
  const inboxes = new Set<Inbox>();
  let known: ReadonlyMap<string, number> | null = null;
  let isLooking = false;

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    while (inboxes.size > 0) {
      const found = await liveRevisions(deps.ledger, { endedSinceMs: deps.clock() - endedMs }).catch(() => null);
      if (found !== null) {
        const before = known;
        known = new Map(found.map(({ batchId, revision }) => [batchId, revision]));
        const changed = before === null ? [] : found.filter((one) => before.get(one.batchId) !== one.revision);
        for (const inbox of inboxes) inbox.put(changed);
      }
      await sleep(pace.lookMs, undefined, { ref: false });
    }
    known = null;
    isLooking = false;
  }

  return {
    async listen(actor) {
      const { inCampaignsOf } = await sightOf(deps.ledger.db, actor);
      const theirs = inCampaignsOf === null ? null : await lineagesOf(deps.ledger, inCampaignsOf);
      const inbox = new Inbox(theirs, pace.quietMs);
      inboxes.add(inbox);
      void look();
      return {
        next: () => inbox.take(),
        close() {
          inboxes.delete(inbox);
          inbox.wake();
        },
      };
    },
    get listeners() {
      return inboxes.size;
    },
  };
}

/** Changes that one listener has not received yet. */
class Inbox {
  readonly #waiting = new Set<string>();
  readonly #lineages: ReadonlySet<number> | null;
  readonly #quietMs: number;
  #wake: (() => void) | null = null;

  constructor(lineages: ReadonlySet<number> | null, quietMs: number) {
    this.#lineages = lineages;
    this.#quietMs = quietMs;
  }

  put(changed: readonly BatchRevision[]): void {
    for (const { batchId, lineageNo } of changed) {
      if (this.#lineages?.has(lineageNo) ?? true) this.#waiting.add(batchId);
    }
    if (this.#waiting.size > 0) this.wake();
  }

  wake(): void {
    this.#wake?.();
    this.#wake = null;
  }

  async take(): Promise<readonly string[]> {
    if (this.#waiting.size === 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, this.#quietMs);
        timer.unref();
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    const taken = [...this.#waiting];
    this.#waiting.clear();
    return taken;
  }
}
