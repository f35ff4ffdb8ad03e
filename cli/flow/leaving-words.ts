import type { RowCounts } from '../../domain/batch-state.js';
import type { BatchView } from '../../ledger/batches/batches.js';

export interface LeavingFacts {
  readonly batch: Pick<BatchView, 'batchId' | 'state'>;
  readonly counts: RowCounts;
  /** Its movies are made by the studio of this machine, which stops with the command. */
  readonly atStudio: boolean;
}

/** What a person who leaves should know: what was spent goes on, and the same command finds it. */
export function leavingWords({ batch: { batchId, state }, counts, atStudio }: LeavingFacts): string {
  const end = 'The same command continues. Press Ctrl-C again to exit immediately.';
  if (state === 'preparing' || state === 'waiting') return `Stopping: nothing of ${batchId} is ordered yet. ${end}`;
  const { ordering = 0, running = 0, archiving = 0 } = counts;
  const said = [
    'Stopping: no new orders.',
    ...(ordering === 0 ? [] : [`${ordering} ${ordering === 1 ? 'request' : 'requests'} in flight, at most 10 s.`]),
    ...moviesWords(running + archiving, atStudio),
    end,
  ];
  return said.join(' ');
}

function moviesWords(count: number, atStudio: boolean): readonly string[] {
  if (count === 0) return [];
  if (count === 1) return [`1 movie ${atStudio ? 'is kept by the studio' : 'continues at the service, already paid'}.`];
  return [`${count} movies ${atStudio ? 'are kept by the studio' : 'continue at the service, already paid'}.`];
}
