import pLimit from 'p-limit';
import { createAnswer } from '../api/create-answer.js';
import { lotOf, nextLookMs } from '../domain/polling.js';
import { type Admission, admitRow } from '../ledger/orders/admission.js';
import { recordAnswer } from '../ledger/orders/record-answer.js';
import { whyWithheld } from '../ledger/orders/why-withheld.js';
import type { Activities, Ordered } from './activities.js';
import { concurrently } from './concurrently.js';
import type { ActivityDeps } from './deps.js';
import type { Waiting } from './failures.js';
import { withHeartbeats } from './heartbeats.js';
import { createPace } from './pace.js';
import { tellAnswer } from './tell.js';

type Send = Extract<Admission, { kind: 'send' }>;

interface SendOf {
  readonly batchId: string;
  readonly rowKey: string;
  readonly signal: AbortSignal;
}

/** How a row's attempt ended: as an order, or as a wait for what it names. */
type Attempt = Ordered | Waiting;

/**
 * Orders on their way at once from one worker. An order is admitted just before it leaves: were all of a large batch
 * admitted first, a crash would leave that many of which nobody knows whether they arrived, and the first movie would
 * be saved after the last was ordered.
 */
export const maxConcurrentOrders = 32;

/** Before a row whose attempt was cut short is tried again. */
const cutShortMs = 1_000;

/**
 * Orders of rows, each for itself. The admission is durable before the first byte leaves, and the answer is recorded
 * before anything else happens: killed between any two lines, the next attempt goes on from what the ledger knows.
 */
export function createOrder(deps: ActivityDeps): Activities['order'] {
  const { ledger, service, polling, webhookUrl, ordersPerSecond } = deps;
  const pace = createPace(deps);
  const limit = pLimit(maxConcurrentOrders);

  async function order(batchId: string, rowKey: string, signal: AbortSignal): Promise<Attempt> {
    // Not an error: a later attempt may have joined this one, and is not cut short itself.
    if (signal.aborted) return { for: 'its attempt was cut short before its turn', delayMs: cutShortMs };
    // Before the admission: between the send and the record of its answer nothing else happens.
    const known = await pace(batchId);
    const admission = await admitRow(ledger, { batchId, rowKey, service, webhookUrl, ordersPerSecond });
    switch (admission.kind) {
      case 'settled':
      case 'blocked':
        return { rowKey, outcome: admission.kind, soon: false };
      case 'running':
        return { rowKey, outcome: 'running', soon: admission.soon };
      case 'wait':
        return { for: 'the service asked to wait', delayMs: admission.delayMs };
      case 'send':
        break;
    }
    const { attempt, send, runtimeSeconds } = admission;
    const { requestId, ...answer } = await sent(deps, admission, { batchId, rowKey, signal });
    const expectedMs = runtimeSeconds * 1_000;
    const movie = { ageMs: 0, expectedMs, percent: null, lot: lotOf(rowKey), jitter: Math.random() };
    const followInMs = nextLookMs({ ...movie, ...known }, polling);
    const recorded = await recordAnswer(ledger, {
      batchId,
      rowKey,
      attempt,
      send,
      answer,
      requestId,
      followInMs,
    });
    tellAnswer(deps, { batchId, rowKey, attempt, requestId }, { answer, recorded });
    if (recorded.kind === 'wait') return { for: recorded.message, delayMs: recorded.delayMs };
    return { rowKey, outcome: recorded.kind, soon: recorded.kind === 'running' && recorded.soon };
  }

  // A second attempt may start here while the first still waits for its answer (a missed heartbeat): it joins that one.
  const underWay = new Map<string, Promise<Attempt>>();
  function joined(batchId: string, rowKey: string, signal: AbortSignal): Promise<Attempt> {
    const key = `${batchId} ${rowKey}`;
    const running = underWay.get(key);
    if (running) return running;
    const started = limit(() => order(batchId, rowKey, signal)).finally(() => underWay.delete(key));
    underWay.set(key, started);
    return started;
  }

  return (batchId, rowKeys) =>
    withHeartbeats(async (signal) => {
      const { done, later } = await concurrently(rowKeys, signal, (rowKey) => joined(batchId, rowKey, signal));
      return { ordered: done, later };
    });
}

/** An archive that cannot even be marked takes no movies either: nothing leaves, and the row is tried again. */
async function sent(
  deps: ActivityDeps,
  { attempt, requestBody, idempotencyKey }: Send,
  { batchId, rowKey, signal }: SendOf,
) {
  try {
    await deps.markArchive?.();
  } catch {
    return { kind: 'not_connected', requestId: null } as const;
  }
  // The last thing before the bytes: after the commit of a stop no send begins.
  const why = await whyWithheld(deps.ledger, { batchId, rowKey, attempt });
  if (why !== null) return { kind: 'withheld', why, requestId: null } as const;
  return createAnswer(deps.api, requestBody, idempotencyKey, signal);
}
