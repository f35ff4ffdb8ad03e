import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { type AdmissionRoom, admissionOpen } from '../ledger/orders/free-places.js';
import { gateState } from '../ledger/plan/decisions.js';
import type { Activities } from './activities.js';
import type { ActivityDeps } from './deps.js';
import { notReady } from './failures.js';
import { withHeartbeats } from './heartbeats.js';

/** A decision may take days; a person's own signal wakes the gate, so that looking seldom costs nothing. */
const gateLookMs = 5 * 60_000;
/** Where only the in-flight limit is in the way, room appears whenever a movie ends. */
const roomLookMs = 200;
const roomPatienceMs = 20_000;
/** Room for so many is not waited for to grow: rows that go on together cost their slice one turn. */
const roomTogether = 8;
const stopLookMs = 30_000;
/** One lost race for a place costs nothing. */
const freeRefusals = 1;
const refusedLookMs = 1_000;
const longestRefusedLookMs = 5_000;

/** The gate: ends with the ledger's decision, and tells the ledger when the time for one is over. */
export function createGate({ ledger }: ActivityDeps): Activities['gate'] {
  return async (batchId) => {
    const gate = await withHeartbeats(() => gateState(ledger, { batchId }));
    if (gate.state === 'approved' || gate.state === 'stale') return gate.state;
    if (gate.state !== 'waiting') return 'over';
    throw notReady('waiting for a decision', Math.min(gateLookMs, gate.expiresInMs));
  };
}

/** Keeps blocked rows out until the ledger admits rows of the batch again. */
export function createAdmit({ ledger, pacing }: ActivityDeps): Activities['admit'] {
  return (batchId, slice, refusals = 0) =>
    withHeartbeats(async (signal) => {
      if (refusals > freeRefusals && Context.current().info.attempt === 1) {
        const delayMs = Math.min((refusals - freeRefusals) * refusedLookMs, longestRefusedLookMs);
        throw notReady('the room is for a row that does not ask now', delayMs);
      }
      const startedAtMs = performance.now();
      let before = 0;
      for (;;) {
        const open = await admissionOpen(ledger, { batchId, slice });
        const hasGrown = open.room > before && open.room < roomTogether && pacing.gatherMs > 0;
        if (open.room > 0 && !hasGrown) return open.room;
        before = open.room;
        const patienceMs = pacing.patienceMs === 0 ? 0 : roomPatienceMs;
        if (open.room === 0) sleepElsewhere(open, performance.now() - startedAtMs >= patienceMs);
        await sleep(roomLookMs, undefined, { signal });
      }
    });
}

/** @throws a wait, where the server keeps it better than an activity does. */
function sleepElsewhere({ stopped, pauseMs }: AdmissionRoom, isLong: boolean): void {
  if (pauseMs > 0) throw notReady('the service asked to wait', pauseMs);
  if (stopped) throw notReady('ordering is stopped', stopLookMs);
  if (isLong) throw notReady('no room within the in-flight limit', 1_000);
}
