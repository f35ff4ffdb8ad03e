import { Context } from '@temporalio/activity';

/** Every heartbeat is a state transition of the server: short work ends before its first one. */
export const heartbeatEveryMs = 3_000;

/** Tells the server that this attempt lives for as long as `work` runs; `work` hears of a cancellation by the signal. */
export async function withHeartbeats<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(), heartbeatEveryMs);
  try {
    return await work(context.cancellationSignal);
  } finally {
    clearInterval(timer);
  }
}
