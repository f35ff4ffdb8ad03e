import type { Actor } from '../domain/roles.js';
import type { Ledger } from '../ledger/ledger.js';
import { formatMoment } from '../reports/wording/time-text.js';
import { nothingMore, type WaitReason } from '../reports/wording/wait-reason.js';
import type { BatchStatus } from './batches.js';
import { alarmReasons, kindOfTrouble, restReasons } from './waiting/of-rows.js';
import { limitReasons, stopReasons } from './waiting/of-the-gate.js';
import { decisionReasons, priceReasons } from './waiting/of-the-plan.js';
import { type WhoMay, whoMay } from './waiting/who-may.js';

/** What Temporal knows about the workers, and about one batch that they work on. */
export interface WorkersSeen {
  /** `not running`: the home's own, which comes with the first worker. */
  readonly temporal: 'there' | 'away' | 'not running';
  /** Those that polled for work within about a minute, and are not known to have ended. */
  readonly workers: number;
  /** When the last of them polled for work; null if none is listed. */
  readonly lastSeenMs?: number | null;
  /** The error of the batch's last attempt, while it is being retried. */
  readonly trouble: string | null;
  /** Since when it is being retried. */
  readonly troubleSinceMs?: number | null;
  /** Why a worker would refuse to start on this machine, if its archive is another one. */
  readonly otherArchive?: string | null;
}

export interface WhyWaitingDeps {
  readonly ledger: Ledger;
  /** @param batchId the batch whose trouble to find; null for none */
  readonly seeWorkers: (batchId: string | null) => Promise<WorkersSeen>;
}

export interface WaitingDeps extends WhyWaitingDeps {
  readonly clock: () => number;
  /** Maximum movies in progress in one batch, if this installation limits them. */
  readonly maxInFlight?: number;
}

/** A batch whose reasons are determined, and what all of them need. */
export interface Asked extends BatchStatus {
  readonly deps: WaitingDeps;
  readonly actor: Actor;
  readonly who: WhoMay;
  readonly nowMs: number;
}

/** What is missing for any batch to continue; null if nothing is. */
export function missingWorkers(
  { temporal, workers, lastSeenMs = null }: Pick<WorkersSeen, 'temporal' | 'workers' | 'lastSeenMs'>,
  nowMs: number,
): WaitReason | null {
  if (temporal === 'away') {
    return { ...nothingMore, kind: 'temporal_away', what: 'Temporal does not answer', command: 'greenlight doctor' };
  }
  if (workers > 0) return null;
  const seen = lastSeenMs === null ? '' : ` (one was last seen ${formatMoment(lastSeenMs, nowMs)})`;
  return { ...nothingMore, kind: 'no_worker', what: `no worker is running${seen}`, command: 'greenlight worker' };
}

/** What keeps workers from this batch: there are none, or they fail. */
async function workerReasons({ deps, batch, who, nowMs }: Asked): Promise<readonly WaitReason[]> {
  const seen = await deps.seeWorkers(batch.batchId);
  const missing = missingWorkers(seen, nowMs);
  const { trouble, troubleSinceMs = null } = seen;
  const lacking = missing === null ? [] : [...archiveReasons(seen, who), missing];
  if (trouble === null) return lacking;
  const kind = kindOfTrouble(trouble);
  const isDisk = kind === 'disk_full';
  const found: WaitReason = {
    ...{ ...nothingMore, kind, what: trouble, sinceMs: troubleSinceMs },
    endsBy: isDisk ? 'continues as soon as there is room' : 'retried automatically',
    ...{ who: isDisk ? who.toAct('resume') : null, command: 'greenlight doctor' },
  };
  return [...lacking, found];
}

/** The reason when starting a worker here would not help. */
function archiveReasons({ otherArchive = null }: WorkersSeen, who: WhoMay): readonly WaitReason[] {
  if (otherArchive === null) return [];
  const command = 'greenlight ledger use-archive --reason "…"';
  return [
    {
      ...{ ...nothingMore, kind: 'other_archive', what: otherArchive, who: who.toAct('reconcile'), command },
      endsBy: 'set GREENLIGHT_ARCHIVE_URL to that one',
    },
  ];
}

/** Every reason why an open batch does not continue, the one that stops most of it first; empty if none does. */
export async function whyWaiting(deps: WaitingDeps, status: BatchStatus, actor: Actor): Promise<readonly WaitReason[]> {
  const { batch } = status;
  const asked: Asked = { ...status, deps, actor, who: await whoMay(deps.ledger, actor), nowMs: deps.clock() };
  switch (batch.state) {
    case 'preparing':
      return priceReasons(asked, await workerReasons(asked));
    case 'waiting':
      return decisionReasons(asked);
    case 'making': {
      const workers = await workerReasons(asked);
      const found = [...workers, ...stopReasons(asked), ...(await limitReasons(asked)), ...(await alarmReasons(asked))];
      return [...found, ...restReasons(asked, found)];
    }
    case 'unsettled':
      return [...(await alarmReasons(asked)), ...restReasons(asked, [])];
    default:
      return [];
  }
}
