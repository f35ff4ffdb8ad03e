import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { Agent, request } from 'undici';
import type { Commits } from '../commits.js';
import { guardedLookup } from './addresses.js';
import { type Busy, type Delivery, type Outbox, receiverOf } from './outbox.js';

export interface SendOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

/** Sends one delivery and returns the status of the answer. */
export type Send = (url: string, options: SendOptions) => Promise<number>;

export interface Dispatcher {
  /** Sends what is due. Called whenever something may have become due; also wakes up by itself. */
  pump(): void;
  close(): Promise<void>;
}

export interface DispatcherDeps {
  readonly outbox: Outbox;
  readonly commits: Commits;
  readonly now: () => number;
  readonly secret: string;
  readonly send: Send;
  readonly timeoutMs: number;
}

/** One receiver that hangs holds up its own events, and nobody else's. */
const maxConcurrent = { receiver: 8, all: 64 } as const;

/** Waits between attempts, as Standard Webhooks suggests: soon at first, and all within a day. */
const retryAfterSeconds = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 21_600, 32_400] as const;
const giveUpAfterMs = 24 * 3600 * 1000;

export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const { outbox, now } = deps;
  const inFlight = new Map<Delivery, Promise<void>>();
  const closing = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let seen: { readonly version: number; readonly dueMs: number | null } | null = null;

  function pump(): void {
    if (closing.signal.aborted) return;
    const version = outbox.version();
    if (seen?.version === version && now() < (seen.dueMs ?? Number.POSITIVE_INFINITY)) {
      // A timer may fire early: often by a millisecond, and by far when the wait is longer than a timer can be.
      if (timer === undefined) wakeUp(seen.dueMs);
      return;
    }
    while (inFlight.size < maxConcurrent.all) {
      const delivery = outbox.nextDue(now(), busyWith([...inFlight.keys()]));
      if (!delivery) break;
      start(delivery);
    }
    const dueMs = outbox.dueAfter(now());
    seen = { version, dueMs };
    wakeUp(dueMs);
  }

  function start(delivery: Delivery): void {
    const done = deliver(delivery, deps, closing.signal)
      .catch(() => undefined) // closed meanwhile: retried at the next start
      .finally(() => {
        inFlight.delete(delivery);
        seen = null; // its place is free
        pump();
      });
    inFlight.set(delivery, done);
  }

  function wakeUp(dueMs: number | null): void {
    clearTimeout(timer);
    timer = undefined;
    if (dueMs === null) return;
    timer = setTimeout(
      () => {
        timer = undefined;
        pump();
      },
      Math.min(60_000, Math.max(1, dueMs - now())),
    );
    timer.unref();
  }

  return {
    pump,
    async close() {
      closing.abort();
      clearTimeout(timer);
      await Promise.all(inFlight.values());
    },
  };
}

function busyWith(deliveries: readonly Delivery[]): Busy {
  const counts = new Map<string, number>();
  for (const delivery of deliveries) counts.set(receiverOf(delivery), (counts.get(receiverOf(delivery)) ?? 0) + 1);
  return {
    receivers: [...counts].filter(([, count]) => count >= maxConcurrent.receiver).map(([receiver]) => receiver),
    movieIds: deliveries.map(({ movieId }) => movieId),
  };
}

async function deliver(delivery: Delivery, deps: DispatcherDeps, closing: AbortSignal): Promise<void> {
  const delivered = await attempt(delivery, deps, closing);
  if (closing.aborted && !delivered) return;
  const wait = retryAfterSeconds[delivery.attempts];
  const dueMs = deps.now() + (wait ?? 0) * 1000;
  const over = wait === undefined || dueMs - delivery.firstMs > giveUpAfterMs;
  const state = delivered ? 'delivered' : over ? 'given_up' : 'waiting';
  await deps.commits.run(() => deps.outbox.settle(delivery, { state, dueMs }), { durable: false });
}

/** A redirect, a refusal and silence are all the same: not delivered. */
async function attempt(delivery: Delivery, { secret, send, now, timeoutMs }: DispatcherDeps, closing: AbortSignal) {
  const { id, url, body, forged } = delivery;
  const at = new Date(now());
  const signer = new Webhook(forged ? `whsec_${randomBytes(24).toString('base64')}` : secret);
  const headers = {
    'Content-Type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signer.sign(id, at, body),
  };
  try {
    const status = await send(url, {
      headers,
      body,
      signal: AbortSignal.any([closing, AbortSignal.timeout(timeoutMs)]),
    });
    return status >= 200 && status < 300;
  } catch {
    return false;
  }
}

/** Sends over the network, never to a private address; redirects are not followed. */
export function createSend({ allowLoopback }: { readonly allowLoopback: boolean }): Send {
  // No pipelining means no keep-alive either: nothing is left open when a studio closes.
  const agent = new Agent({ connect: { lookup: guardedLookup({ allowLoopback }) }, pipelining: 0 });
  return async (url, { headers, body, signal }) => {
    const answer = await request(url, { method: 'POST', headers, body, signal, dispatcher: agent });
    await answer.body.dump();
    return answer.statusCode;
  };
}
