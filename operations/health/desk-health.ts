import { openBatchStates } from '../../domain/batch-state.js';
import type { Actor } from '../../domain/roles.js';
import { assertMay } from '../../ledger/access/sight.js';
import { type Places, placesOf } from '../../ledger/batches/service-places.js';
import { type ChannelHealth, channelHealth } from '../../ledger/notices/outbox.js';
import { type DoneSince, doneSince } from '../../ledger/progress/done-since.js';
import type { WaitReason } from '../../reports/wording/wait-reason.js';
import { listBatches } from '../batches.js';
import type { OperationDeps } from '../deps.js';
import { seenOnce } from '../waiting/seen-once.js';
import { type WhyWaitingDeps, whyWaiting } from '../why-waiting.js';

/** The state of one part of this installation, e.g. its ledger, and whether it can be used. */
export interface PartFinding {
  readonly part: string;
  readonly ok: boolean;
  /** What was found; if it is wrong, also what would be right. */
  readonly words: string;
}

/** A worker, as Temporal lists it. */
export interface WorkerListed {
  /** The SDK's name for it: `4711@host`. */
  readonly name: string;
  /** What it polls for: workflows and light activities, or rate-limited orders. */
  readonly queues: readonly ('making' | 'orders')[];
  /** Release and workflows, if the server has them. */
  readonly build: string | null;
  /** When it last polled for work. */
  readonly lastSeenMs: number;
  /** Whether it seems to be running: it polled within about a minute, and is not known to have ended. */
  readonly isAlive: boolean;
}

export interface HealthDeps extends OperationDeps, WhyWaitingDeps {
  /** Runs the checks of `greenlight doctor` on the machine that serves this. */
  readonly diagnose: () => Promise<readonly PartFinding[]>;
  /** Null when Temporal is unavailable. */
  readonly listWorkers: () => Promise<readonly WorkerListed[] | null>;
}

export interface DeskHealth {
  readonly parts: readonly PartFinding[];
  /** Why open batches do not continue, apart from what is meant: pauses, approvals, waiting their turn. */
  readonly troubles: readonly { readonly batchId: string; readonly reason: WaitReason }[];
  /** The channels of notices, and what fails there: reported here only. */
  readonly channels: readonly ChannelHealth[];
  /** Null before the first order of this installation's service. */
  readonly places: Places | null;
  /** Null when Temporal is unavailable. */
  readonly workers: readonly WorkerListed[] | null;
  /** What all workers did; the books do not say which of them. */
  readonly lastHour: DoneSince;
}

const looked = 50;
const hourMs = 60 * 60_000;
const meant: readonly WaitReason['kind'][] = ['paused', 'prices', 'approval', 'in_flight', 'turn', 'service_pause'];

/** Whether movies are being made, and what people have to do for that. @throws LedgerError without the role. */
export async function deskHealth(deps: HealthDeps, { actor }: { readonly actor: Actor }): Promise<DeskHealth> {
  const { db } = deps.ledger;
  await assertMay(db, actor, { act: 'health', words: 'show the health of this installation' });
  const [parts, workers] = await Promise.all([deps.diagnose(), deps.listWorkers()]);
  return {
    ...{ parts, workers },
    troubles: await troublesOf(deps, actor),
    channels: await channelHealth(deps.ledger),
    places: await placesOf(db, deps.service),
    lastHour: await doneSince(deps.ledger, deps.clock() - hourMs),
  };
}

async function troublesOf(deps: HealthDeps, actor: Actor): Promise<DeskHealth['troubles']> {
  const once = { ...deps, seeWorkers: seenOnce(deps) };
  const open = await listBatches(deps, { actor, states: [...openBatchStates, 'unsettled'], limit: looked });
  const troubles: { readonly batchId: string; readonly reason: WaitReason }[] = [];
  for (const status of open) {
    const reasons = await whyWaiting(once, status, actor);
    const unmeant = reasons.filter(({ kind }) => !meant.includes(kind));
    troubles.push(...unmeant.map((reason) => ({ batchId: status.batch.batchId, reason })));
  }
  return troubles;
}
