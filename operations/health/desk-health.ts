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

/** What was found of one part of this installation, e.g. its ledger, and whether it can be worked with. */
export interface PartFinding {
  readonly part: string;
  readonly ok: boolean;
  /** What was found; where it is not good, also what would be right. */
  readonly words: string;
}

/** A worker, as Temporal lists it. */
export interface WorkerListed {
  /** As the SDK calls it: `4711@host`. */
  readonly name: string;
  /** What it asks for: work of the making, orders that keep to a rate. */
  readonly queues: readonly ('making' | 'orders')[];
  /** Release and workflows, where the server tells them. */
  readonly build: string | null;
  /** When it asked for work last. */
  readonly lastSeenMs: number;
  /** Whether it is thought to be running: it asked within about a minute, and is not known to have ended. */
  readonly isAlive: boolean;
}

export interface HealthDeps extends OperationDeps, WhyWaitingDeps {
  /** What `greenlight doctor` finds on the machine that serves this. */
  readonly diagnose: () => Promise<readonly PartFinding[]>;
  /** Null where Temporal is not there to be asked. */
  readonly listWorkers: () => Promise<readonly WorkerListed[] | null>;
}

export interface DeskHealth {
  readonly parts: readonly PartFinding[];
  /** What keeps open batches from going on and nobody meant to: no pause, no approval, no turn. */
  readonly troubles: readonly { readonly batchId: string; readonly reason: WaitReason }[];
  /** Where notices are told, and what fails there: it is told here alone. */
  readonly channels: readonly ChannelHealth[];
  /** Null before the first order of this installation's service. */
  readonly places: Places | null;
  /** Null where Temporal is not there to be asked. */
  readonly workers: readonly WorkerListed[] | null;
  /** What all of them did; the books do not say which of them. */
  readonly lastHour: DoneSince;
}

const looked = 50;
const hourMs = 60 * 60_000;
const meant: readonly WaitReason['kind'][] = ['paused', 'prices', 'approval', 'in_flight', 'turn', 'service_pause'];

/** Whether movies are being made, and what somebody has to do for it. @throws LedgerError without the role. */
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
