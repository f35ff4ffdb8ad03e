import type { Act } from '../../domain/roles.js';
import type { StopKind } from '../../domain/stop.js';
import { sightOf } from '../../ledger/access/sight.js';
import { type Holders, holdersOf, pausedUntil, waitsForPlaceSince } from '../../ledger/batches/service-places.js';
import { countsOf } from '../../reports/wording/state-words.js';
import { stopFact } from '../../reports/wording/stop-words.js';
import { nothingMore, type WaitReason } from '../../reports/wording/wait-reason.js';
import type { Asked } from '../why-waiting.js';

const actThatEnds: Readonly<Record<StopKind, Act>> = {
  paused: 'resume',
  credentials: 'resume',
  tripped: 'continue',
  canary: 'continue',
  budget: 'budget',
  restored: 'reconcile',
};

/** The stops of a batch: nothing more of it is ordered before a person ends them. */
export function stopReasons({ batch, counts, who }: Asked): readonly WaitReason[] {
  const count = countsOf(counts).waiting;
  const rows = count === 0 ? null : { count, state: 'waiting' };
  return batch.stops.map((stop) => ({
    ...{ kind: stop.kind, rows, what: stopFact(stop), sinceMs: stop.sinceMs > 0 ? stop.sinceMs : null },
    ...{ untilMs: null, endsBy: null, who: who.toAct(actThatEnds[stop.kind]), command: stop.command },
  }));
}

/** The limits that keep rows waiting while nothing is stopped. */
export async function limitReasons(asked: Asked): Promise<readonly WaitReason[]> {
  const { batch, counts, deps, actor, nowMs, who } = asked;
  const count = countsOf(counts).waiting;
  if (count === 0 || batch.stops.length > 0) return [];
  const rows = { count, state: 'waiting' };
  const { db } = deps.ledger;
  const untilMs = await pausedUntil(db, batch.batchId);
  const pause: WaitReason[] =
    untilMs > nowMs
      ? [{ ...nothingMore, kind: 'service_pause', rows, what: 'the service asked to wait', untilMs }]
      : [];
  const limit = limitWords(asked);
  if (limit === null) return pause;
  const { inCampaignsOf } = await sightOf(db, actor);
  const holders = limit.shared ? holderWords(await holdersOf(db, { batchId: batch.batchId, inCampaignsOf })) : '';
  const full: WaitReason = {
    ...{
      ...nothingMore,
      kind: 'in_flight',
      rows,
      what: `${limit.words}${holders}`,
      endsBy: 'continues as one finishes',
    },
    sinceMs: await waitsForPlaceSince(db, batch.batchId),
    ...(limit.shared
      ? {}
      : { who: who.toAct('limits'), command: `greenlight limits ${batch.batchId} --max-in-flight <movies>` }),
  };
  return [...pause, full];
}

/** Which limit is reached: the service's over all batches, the batch's own, or this installation's. */
function limitWords({ batch, counts, heldUpBy, deps }: Asked): { words: string; shared: boolean } | null {
  if (heldUpBy?.kind === 'in_flight') {
    const { of, limit } = heldUpBy;
    const shared = of === 'service';
    return { words: `in-flight limit of the ${of}: ${limit} in progress`, shared };
  }
  const { maxInFlight } = deps;
  const making = countsOf(counts)['in progress'];
  if (batch.maxInFlight !== null || maxInFlight === undefined || making < maxInFlight) return null;
  return { words: `in-flight limit of a batch here: ${maxInFlight} in progress`, shared: false };
}

/** E.g. ` (winter-1 31, spring-launch-3 9)`. */
function holderWords({ seen, others }: Holders): string {
  const named = seen.map(({ batchId, rows }) => `${batchId} ${rows}`);
  const all = others > 0 ? [...named, `others ${others}`] : named;
  return all.length === 0 ? '' : ` (${all.join(', ')})`;
}
