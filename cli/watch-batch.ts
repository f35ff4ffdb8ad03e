import { setTimeout as sleep } from 'node:timers/promises';
import { openBatchStates } from '../domain/batch-state.js';
import { failedStates } from '../domain/row-state.js';
import { type BatchView, countRows, listRows, readBatch } from '../ledger/batches.js';
import type { Ledger } from '../ledger/ledger.js';
import { progressOf } from './batch-progress.js';
import type { CliContext } from './context.js';
import { createLiveBlock, type ProgressMode, redrawMs } from './live-block.js';
import { createPaint } from './paint.js';
import { printable } from './printable.js';
import { type Progress, progressLines, progressRecord } from './progress-view.js';
import { columnsOf } from './text-width.js';

export interface WatchOptions {
  readonly ledger: Ledger;
  readonly batchId: string;
  readonly clock: () => number;
  readonly mode: ProgressMode;
  readonly maxInFlight: number;
  readonly link: string | null;
  readonly signal: AbortSignal;
}

/** A pipe or a log gets a line this often, and one at each change of state. */
const plainEveryMs = 30_000;

/**
 * Shows a batch until it is settled, reading nothing but its counters.
 *
 * @throws the signal's reason when somebody wants to go.
 */
export async function watchBatch(context: CliContext, options: WatchOptions): Promise<BatchView> {
  const { ledger, batchId, clock, mode, signal } = options;
  const screen = createScreen(context, mode);
  const failures = watchFailures(ledger, batchId);
  try {
    for (;;) {
      const [batch, counts] = await Promise.all([readBatch(ledger, batchId), countRows(ledger, batchId)]);
      const { maxInFlight, link } = options;
      const last = await failures(batch.failedRows);
      screen.show(progressOf({ batch, counts, nowMs: clock(), maxInFlight, link, last }), clock());
      if (!(openBatchStates as readonly string[]).includes(batch.state)) return batch;
      await sleep(redrawMs, undefined, { signal });
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    screen.end();
  }
}

interface Screen {
  show(progress: Progress, nowMs: number): void;
  end(): void;
}

function createScreen(context: CliContext, mode: ProgressMode): Screen {
  const { stderr, env } = context;
  if (mode === 'quiet') return { show: () => undefined, end: () => undefined };
  if (mode === 'plain') {
    let shownAtMs = Number.NEGATIVE_INFINITY;
    let shownState = '';
    return {
      show(progress, nowMs) {
        if (progress.state === shownState && nowMs - shownAtMs < plainEveryMs) return;
        shownAtMs = nowMs;
        shownState = progress.state;
        stderr.write(`${progressRecord(progress, nowMs)}\n`);
      },
      end: () => undefined,
    };
  }
  const block = createLiveBlock(context);
  const paint = createPaint(stderr, env);
  return {
    show: (progress) => block.draw(progressLines(progress, { columns: columnsOf(stderr, env), plain: false, paint })),
    end: () => block.end(),
  };
}

/** Gives the newest failure, asking for rows only when the counter of failures has moved. */
function watchFailures(ledger: Ledger, batchId: string): (failedRows: number) => Promise<string | null> {
  let known = 0;
  let last: string | null = null;
  return async (failedRows) => {
    if (failedRows === known) return last;
    known = failedRows;
    const rows = await listRows(ledger, batchId, { states: failedStates, limit: 200 });
    const newest = [...rows].sort((one, other) => (one.endedAtMs ?? 0) - (other.endedAtMs ?? 0)).at(-1);
    last = newest ? `${newest.rowKey} ${newest.state}: ${printable(newest.reason ?? 'no reason given')}` : null;
    return last;
  };
}
