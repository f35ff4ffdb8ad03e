import { createAnswer } from '../api/create-answer.js';
import { nextLookMs } from '../domain/polling.js';
import { admitRow, recordAnswer } from '../ledger/admission.js';
import type { Ordered } from './activities.js';
import type { ActivityDeps } from './deps.js';
import { notReady } from './failures.js';
import { withHeartbeats } from './heartbeats.js';

/**
 * One row's order. The admission is durable before the first byte leaves, and the answer is recorded before anything
 * else happens: killed between any two lines, the next attempt goes on from what the ledger knows.
 */
export function createOrder(deps: ActivityDeps): (batchId: string, rowKey: string) => Promise<Ordered> {
  const { ledger, api, service, clock, polling, webhookUrl } = deps;

  async function order(batchId: string, rowKey: string, signal: AbortSignal): Promise<Ordered> {
    const admission = await admitRow(ledger, { batchId, rowKey, service, webhookUrl, nowMs: clock() });
    switch (admission.kind) {
      case 'settled':
      case 'blocked':
        return { outcome: admission.kind, soon: false };
      case 'running':
        return { outcome: 'running', soon: admission.soon };
      case 'wait':
        throw notReady('the service asked to wait', admission.delayMs);
      case 'send':
        break;
    }
    const { attempt, send, requestBody, idempotencyKey, runtimeSeconds } = admission;
    const { requestId, ...answer } = await sent(requestBody, idempotencyKey, signal);
    const nowMs = clock();
    const expectedMs = runtimeSeconds * 1_000;
    const followAtMs = nowMs + nextLookMs({ ageMs: 0, expectedMs, percent: null, jitter: Math.random() }, polling);
    const recorded = await recordAnswer(ledger, {
      batchId,
      rowKey,
      attempt,
      send,
      answer,
      requestId,
      nowMs,
      followAtMs,
    });
    if (recorded.kind === 'wait') throw notReady(recorded.message, recorded.delayMs);
    return { outcome: recorded.kind, soon: recorded.kind === 'running' && recorded.soon };
  }

  /** An archive that cannot even be marked takes no movies either: nothing leaves, and the row is tried again. */
  async function sent(requestBody: string, idempotencyKey: string, signal: AbortSignal) {
    try {
      await deps.markArchive?.();
    } catch {
      return { kind: 'not_connected', requestId: null } as const;
    }
    return createAnswer(api, requestBody, idempotencyKey, signal);
  }

  // A second attempt may start here while the first still waits for its answer (a missed heartbeat): it joins that one.
  const underWay = new Map<string, Promise<Ordered>>();
  return (batchId, rowKey) =>
    withHeartbeats((signal) => {
      const key = `${batchId} ${rowKey}`;
      const running = underWay.get(key);
      if (running) return running;
      const started = order(batchId, rowKey, signal).finally(() => underWay.delete(key));
      underWay.set(key, started);
      return started;
    });
}
