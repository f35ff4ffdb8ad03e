import process from 'node:process';
import type { CliContext } from './context.js';

type Callback = Parameters<CliContext['onInterrupt']>[0];

/** Calls back at each SIGINT and SIGTERM; while nobody listens, they end the process as they always do. */
export function onInterrupt(callback: Callback): () => void {
  let count = 0;
  const hear = (signal: NodeJS.Signals) => {
    if (signal === 'SIGINT' || signal === 'SIGTERM') callback(signal, ++count);
  };
  process.on('SIGINT', hear);
  process.on('SIGTERM', hear);
  return () => {
    process.off('SIGINT', hear);
    process.off('SIGTERM', hear);
  };
}
