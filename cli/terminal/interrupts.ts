import process from 'node:process';
import type { CliContext } from './context.js';

type Callback = Parameters<CliContext['onInterrupt']>[0];

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Calls back at each of the signals; while nobody listens, they end the process as they always do. */
export function onInterrupt(callback: Callback): () => void {
  let count = 0;
  const hear = (name: NodeJS.Signals) => {
    const signal = signals.find((one) => one === name);
    // A closed terminal says so several times, and nobody is there who could be in a hurry.
    if (!signal || (signal === 'SIGHUP' && count > 0)) return;
    count += 1;
    callback(signal, count);
  };
  for (const signal of signals) process.on(signal, hear);
  return () => {
    for (const signal of signals) process.off(signal, hear);
  };
}

/** Nobody reads any more: a command that can be interrupted puts down its work in good order, any other ends. */
export function leaveUnread(): void {
  if (process.listenerCount('SIGHUP') > 0) process.emit('SIGHUP');
  else process.exit(process.exitCode ?? 0);
}
