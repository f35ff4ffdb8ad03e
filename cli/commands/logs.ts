import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { openBatchStates } from '../../domain/batch-state.js';
import { BatchLog, newestEvents } from '../../operations/batch/batch-log.js';
import { type BatchLook, readBatch } from '../../operations/batches.js';
import type { OperationDeps } from '../../operations/deps.js';
import { formatMoment } from '../../reports/wording/time-text.js';
import { eventJson, eventLine, eventOfBatch, type WorkEvent } from '../../reports/wording/work-event.js';
import { homeOption, withSession } from '../session/session.js';
import type { CliContext } from '../terminal/context.js';
import { printLine, say, sayNext } from '../terminal/print.js';

interface LogsFlags {
  readonly follow?: true | undefined;
  readonly lines: number | 'all';
  readonly json?: true | undefined;
}

const followEveryMs = 1_000;

/** `greenlight logs`: what happened to a batch, in order. */
export function addLogsCommand(program: Command, context: CliContext): void {
  program
    .command('logs')
    .description('Show what happened to a batch, oldest first: acts of people, answers of the service, ends of rows')
    .argument('<batch>', 'batch id, e.g. spring-launch-3')
    .option('--follow', 'keep running and show what happens, until the batch has ended')
    .option('--lines <number>', 'how many of the newest events, or all', parseLines, 50)
    .option('--json', 'output one JSON object per event')
    .addOption(homeOption())
    .addHelpText('after', '\nExample:\n  greenlight logs spring-launch-3 --follow')
    .action((batchId, flags) =>
      withSession(context, flags, async ({ deps, actor }) => {
        await showLog(context, deps, { look: { batchId, actor: await actor() }, flags });
      }),
    );
}

interface Log {
  readonly look: BatchLook;
  readonly flags: LogsFlags;
}

async function showLog(context: CliContext, deps: OperationDeps, { look, flags }: Log): Promise<void> {
  const isTerminal = context.stdout.isTTY ?? false;
  const lineOf = (event: WorkEvent) => {
    if (flags.json) return JSON.stringify(eventJson(event));
    return isTerminal ? `${formatMoment(event.atMs, deps.clock())} ${eventOfBatch(event)}` : eventLine(event);
  };
  const print = (events: readonly WorkEvent[]) => {
    for (const event of events) printLine(context, lineOf(event));
  };
  const { lines, follow } = flags;
  let fromMs = 0;
  if (lines !== 'all') {
    const newest = await newestEvents(deps, { ...look, limit: lines });
    fromMs = newest.at(-1)?.atMs ?? 0;
    print(newest);
  }
  if (lines !== 'all' && !follow) {
    sayNext(context, `greenlight status ${look.batchId}, or greenlight logs ${look.batchId} --follow`);
    return;
  }
  await readBatch(deps, look);
  const log = new BatchLog(deps, look, lines === 'all' ? 0 : fromMs + 1);
  const stop = new AbortController();
  const unhook = follow ? context.onInterrupt(() => stop.abort()) : () => undefined;
  try {
    while (!stop.signal.aborted) {
      const { batch } = await readBatch(deps, look); // before the events: what ended it is among them
      const events = await log.next();
      print(events);
      if (events.length > 0) continue;
      if (!follow || !(openBatchStates as readonly string[]).includes(batch.state)) return;
      await sleep(followEveryMs, undefined, { signal: stop.signal }).catch(() => undefined);
    }
    say(context, `Detached; ${look.batchId} continues. Next: greenlight status ${look.batchId}`);
  } finally {
    unhook();
  }
}

function parseLines(text: string): number | 'all' {
  if (text === 'all') return 'all';
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a number of events, or all.');
  return Number(text);
}
