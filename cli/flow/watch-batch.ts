import { setTimeout as sleep } from 'node:timers/promises';
import { openBatchStates } from '../../domain/batch-state.js';
import type { BatchView } from '../../ledger/batches/batches.js';
import { type BatchLook, readBatch } from '../../operations/batches.js';
import type { WaitingDeps } from '../../operations/why-waiting.js';
import type { CliContext } from '../terminal/context.js';
import { createLiveBlock, type ProgressMode, redrawMs } from '../terminal/live-block.js';
import { createPaint } from '../terminal/paint.js';
import { columnsOf } from '../terminal/text-width.js';
import { progressOf } from '../views/batch-progress.js';
import { watchTroubles } from '../views/batch-troubles.js';
import { type Progress, progressLines, progressRecord } from '../views/progress-view.js';

export interface WatchOptions {
  readonly deps: WaitingDeps;
  readonly look: BatchLook;
  readonly mode: ProgressMode;
  readonly link: string | null;
  readonly signal: AbortSignal;
}

/** A pipe or a log gets a line this often, and one at each change of state and at each new reason to wait. */
const plainEveryMs = 30_000;

/**
 * Shows a batch until it is settled, reading nothing but its counters.
 *
 * @throws the signal's reason when somebody wants to go.
 */
export async function watchBatch(context: CliContext, options: WatchOptions): Promise<BatchView> {
  const { deps, look, mode, signal } = options;
  const { clock } = deps;
  const screen = createScreen(context, mode);
  const troublesOf = watchTroubles(deps, look);
  try {
    for (;;) {
      const status = await readBatch(deps, look);
      const { batch, counts } = status;
      const troubles = await troublesOf(status, clock());
      screen.show(progressOf({ batch, counts, nowMs: clock(), link: options.link, ...troubles }), clock());
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
    let shown = '';
    return {
      show(progress, nowMs) {
        const now = [progress.state, ...progress.reasons].join('\n').replace(/\d+/g, '');
        if (now === shown && nowMs - shownAtMs < plainEveryMs) return;
        shownAtMs = nowMs;
        shown = now;
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
