import { existsSync } from 'node:fs';
import type { Config, TemporalConfig } from '../../home/config.js';
import { openParts } from '../../home/services.js';
import { seeWorkers } from '../../home/temporal/see-workers.js';
import { missingWorkers, type WhyWaitingDeps } from '../../operations/why-waiting.js';
import { formatDuration } from '../../reports/wording/duration-text.js';
import { reasonWords } from '../../reports/wording/wait-reason.js';

export interface LookingAtWorkers {
  readonly config: Config;
  /** Null where it is still to be made. */
  readonly ledgerId: string | null;
}

/** Asks this installation's Temporal, wherever it is. */
export function seeWorkersOf({ config, ledgerId }: LookingAtWorkers): WhyWaitingDeps['seeWorkers'] {
  return async (batchId) => seeWorkers(config.temporal ?? (await ownTemporal(config)), ledgerId, batchId);
}

/**
 * How many workers ask this Temporal for work of the ledger.
 *
 * @throws Error where a cluster has none, so that nothing which is submitted there goes on.
 */
export async function diagnoseWorkers(looking: LookingAtWorkers): Promise<string> {
  const seen = await seeWorkersOf(looking)(null);
  if (seen.temporal === 'not running') return 'none, started by run and worker';
  const nowMs = Date.now();
  const missing = missingWorkers(seen, nowMs);
  if (missing !== null) {
    // Whoever reads this has typed it, and the line of Temporal says what is wrong.
    const command = missing.kind === 'temporal_away' ? null : missing.command;
    throw new Error(`Cannot make movies: ${reasonWords({ ...missing, command }, nowMs)}`);
  }
  const last = seen.lastSeenMs ? `, last seen ${formatDuration(nowMs - seen.lastSeenMs)} ago` : '';
  return `${seen.workers} running${last}`;
}

async function ownTemporal({ home }: Config): Promise<TemporalConfig | null> {
  if (!existsSync(home)) return null;
  const parts = await openParts(home);
  try {
    const part = parts.running('temporal');
    return part && { address: `127.0.0.1:${part.port}`, namespace: 'default', proxy: null };
  } finally {
    parts.close();
  }
}
