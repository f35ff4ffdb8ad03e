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

/** Orders nothing more of the batch from the commit on; what is in the making goes on and is saved. */
export async function pause({ ledger, clock, workflows }: OperationDeps, input: StopInput): Promise<Notified> {
  await putPause(ledger, { ...input, nowMs: clock() });
  return { told: await workflows.nudgeBatch(input.batchId) };
}

/** Ends a pause, and a stop for refused credentials once they are mended. */
export async function resume({ ledger, clock, workflows }: OperationDeps, input: StopInput): Promise<Notified> {
  await endPause(ledger, { ...input, nowMs: clock() });
  return { told: await workflows.nudgeBatch(input.batchId) };
}

/** Goes on after the canary rows, or after more failures than tolerated, with the whole tolerance again. */
export async function goOn({ ledger, clock, workflows }: OperationDeps, input: StopInput): Promise<Notified> {
  await endTripOrCanary(ledger, { ...input, nowMs: clock() });
  return { told: await workflows.nudgeBatch(input.batchId) };
}
