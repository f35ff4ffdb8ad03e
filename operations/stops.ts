import type { Actor } from '../domain/roles.js';
import {
  resumeBatch as endPause,
  continueBatch as endTripOrCanary,
  pauseBatch as putPause,
} from '../ledger/stops/stops.js';
import type { Notified, OperationDeps } from './deps.js';

export interface StopInput {
  readonly batchId: string;
  readonly actor: Actor;
  readonly reason?: string;
}

/** Stops ordering for the batch from the commit on; movies in progress continue and are saved. */
export async function pause({ ledger, clock, workflows }: OperationDeps, input: StopInput): Promise<Notified> {
  await putPause(ledger, { ...input, nowMs: clock() });
  return { told: await workflows.nudgeBatch(input.batchId) };
}

/** Ends a pause, or a stop for refused credentials once these are fixed. */
export async function resume({ ledger, clock, workflows }: OperationDeps, input: StopInput): Promise<Notified> {
  await endPause(ledger, { ...input, nowMs: clock() });
  return { told: await workflows.nudgeBatch(input.batchId) };
}

/** Continues after the canary rows, or after more failures than tolerated, with the full tolerance again. */
export async function goOn({ ledger, clock, workflows }: OperationDeps, input: StopInput): Promise<Notified> {
  await endTripOrCanary(ledger, { ...input, nowMs: clock() });
  return { told: await workflows.nudgeBatch(input.batchId) };
}
