import { setTimeout as sleep } from 'node:timers/promises';
import { openBatchStates } from '../../domain/batch-state.js';
import { readBatch } from '../../operations/batches.js';
import type { CliContext } from '../terminal/context.js';
import { createLiveBlock, progressMode, redrawMs } from '../terminal/live-block.js';
import { printLine, say } from '../terminal/print.js';
import { roomOf } from '../terminal/text-width.js';
import { batchJson } from '../views/batch-json.js';
import { findBatches, type StatusQuery } from './status-query.js';

export interface Watched {
  /** Without one, the list is watched. */
  readonly batchId: string | undefined;
  readonly linesOf: (columns: number) => Promise<readonly string[]>;
}

/** Until the batch ends, or the person has seen enough; the batch does not mind either. */
export async function watchStatus(context: CliContext, query: StatusQuery, watched: Watched): Promise<void> {
  const { deps, actor } = query;
  const { batchId } = watched;
  const stop = new AbortController();
  const unhook = context.onInterrupt(() => stop.abort());
  const screen = createScreen(context, query, watched);
  try {
    while (!stop.signal.aborted) {
      await screen.show();
      if (batchId !== undefined && !isOpen((await readBatch(deps, { batchId, actor })).batch)) {
        await screen.show(); // it may have ended since it was shown
        return;
      }
      await sleep(redrawMs, undefined, { signal: stop.signal }).catch(() => undefined);
    }
    screen.end();
    say(context, batchId === undefined ? 'Detached; batches continue' : `Detached; ${batchId} continues`);
  } finally {
    screen.end();
    unhook();
  }
}

function isOpen({ state }: { readonly state: string }): boolean {
  return (openBatchStates as readonly string[]).includes(state);
}

interface Screen {
  show(): Promise<void>;
  end(): void;
}

function createScreen(context: CliContext, query: StatusQuery, { batchId, linesOf }: Watched): Screen {
  const { json } = query.flags;
  const live = !json && context.stdout.isTTY && progressMode('auto', context) === 'live';
  if (live) {
    const block = createLiveBlock({ stderr: context.stdout });
    let last: readonly string[] = [];
    return {
      async show() {
        last = await linesOf(roomOf(context.stdout, context.env));
        block.draw(last);
      },
      end() {
        block.end();
        for (const line of last) printLine(context, line);
        last = [];
      },
    };
  }
  let shown = '';
  return {
    async show() {
      const now = json ? await changeJson(query, batchId) : (await linesOf(Number.POSITIVE_INFINITY)).join('\n');
      if (now !== shown) printLine(context, now);
      shown = now;
    },
    end: () => undefined,
  };
}

async function changeJson(query: StatusQuery, batchId: string | undefined): Promise<string> {
  const { deps, actor } = query;
  if (batchId !== undefined) {
    const { batch, counts } = await readBatch(deps, { batchId, actor });
    return JSON.stringify(batchJson(batch, counts));
  }
  const { lines } = await findBatches(query);
  return JSON.stringify({ batches: lines.map(({ batch, counts }) => batchJson(batch, counts)) });
}
