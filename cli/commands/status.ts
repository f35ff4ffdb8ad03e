import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from '@commander-js/extra-typings';
import type { RowCounts } from '../../domain/batch-state.js';
import type { Actor } from '../../domain/roles.js';
import { type RowState, rowStates } from '../../domain/row-state.js';
import type { BatchView } from '../../ledger/batches/batches.js';
import { type BatchLook, listBatches, listRows, readBatch } from '../../operations/batches.js';
import type { OperationDeps } from '../../operations/deps.js';
import { missingWorkers, type WhyWaitingDeps, whyWaiting } from '../../operations/why-waiting.js';
import { rowStateWords, statesOfWord } from '../../reports/wording/state-words.js';
import { homeOption, withSession } from '../session/session.js';
import type { CliContext } from '../terminal/context.js';
import { createLiveBlock, progressMode, redrawMs } from '../terminal/live-block.js';
import { printJson, printLine, say } from '../terminal/print.js';
import { roomOf } from '../terminal/text-width.js';
import { batchJson, rowJson } from '../views/batch-json.js';
import { type BatchLine, batchLines, batchTable, rowTable } from '../views/batch-view.js';

interface StatusFlags {
  readonly rows?: true | undefined;
  readonly state?: readonly RowState[] | undefined;
  readonly watch?: true | undefined;
  readonly json?: true | undefined;
}

/** Batches of the list, and rows of a batch on a screen; programs get all of them by --json. */
const shownBatches = 20;
const shownRows = 100;
const workersEveryMs = 5_000;

/** `greenlight status`: counts, money, what waits and why. */
export function addStatusCommand(program: Command, context: CliContext): void {
  program
    .command('status')
    .description('Show batches: counts, money, what is waiting and why')
    .argument('[batch]', 'batch id, e.g. spring-launch-3 (default: the newest batches)')
    .option('--rows', 'include every row')
    .option('--state <states>', 'only rows in these states, e.g. failed,unknown', parseStates)
    .option('--watch', 'keep running and show changes')
    .option('--json', 'output JSON; with --watch, one object per change')
    .addOption(homeOption())
    .addHelpText('after', '\nExample:\n  greenlight status spring-launch-3 --state failed')
    .action((batchId, flags) =>
      withSession(context, flags, async ({ deps, installation, ...session }) => {
        const seeWorkers = nowAndThen(installation.seeWorkers);
        const actor = await session.actor();
        const status = { deps, actor, seeWorkers, batchId, flags };
        if (flags.watch) return watch(context, status);
        if (flags.json) return printStatusJson(context, status);
        const columns = roomOf(context.stdout, context.env);
        const lines = await statusLines(status, columns);
        for (const line of lines) printLine(context, line);
      }),
    );
}

interface Status {
  readonly deps: OperationDeps;
  readonly actor: Actor;
  readonly seeWorkers: WhyWaitingDeps['seeWorkers'];
  readonly batchId: string | undefined;
  readonly flags: StatusFlags;
}

async function statusLines(status: Status, columns: number): Promise<readonly string[]> {
  const { deps, actor, seeWorkers, batchId, flags } = status;
  const options = { nowMs: deps.clock(), columns };
  if (batchId === undefined) {
    const lines = await newest(status);
    if (lines.length === 0) return ['No batches yet; greenlight run <manifest> makes the first'];
    const isOpen = lines.some(({ batch }) => batch.state === 'preparing' || batch.state === 'making');
    const workersAway = isOpen && missingWorkers(await seeWorkers(null)) !== null;
    return batchTable(lines, { ...options, workersAway });
  }
  const look = { batchId, actor };
  const found = await readBatch(deps, look);
  const heldUp = await whyWaiting({ ledger: deps.ledger, seeWorkers }, found.batch);
  const lines = batchLines({ ...found, heldUp }, options);
  if (!flags.rows && !flags.state) return lines;
  return [...lines, '', ...(await rowLines(status, { look, counts: found.counts, columns }))];
}

/** Who watches need not ask Temporal at each redraw. */
function nowAndThen(seeWorkers: Status['seeWorkers']): Status['seeWorkers'] {
  let askedAt = Number.NEGATIVE_INFINITY;
  let seen: ReturnType<Status['seeWorkers']> | undefined;
  return (batchId) => {
    if (seen && performance.now() - askedAt < workersEveryMs) return seen;
    askedAt = performance.now();
    seen = seeWorkers(batchId);
    return seen;
  };
}

function newest({ deps, actor }: Status): Promise<readonly BatchLine[]> {
  return listBatches(deps, { actor, limit: shownBatches });
}

interface RowsOfBatch {
  readonly look: BatchLook;
  readonly counts: RowCounts;
  readonly columns: number;
}

async function rowLines({ deps, flags }: Status, { look, counts, columns }: RowsOfBatch): Promise<readonly string[]> {
  const states = flags.state;
  const rows = await listRows(deps, { ...look, limit: shownRows, ...(states && { states }) });
  if (rows.length === 0) return ['no such rows'];
  const all = (states ?? rowStates).reduce((sum, state) => sum + (counts[state] ?? 0), 0);
  const more = all > rows.length ? [`and ${all - rows.length} more: --json`] : [];
  return [...rowTable(rows, { nowMs: deps.clock(), columns }), ...more];
}

async function printStatusJson(context: CliContext, status: Status): Promise<void> {
  const { deps, actor, seeWorkers, batchId, flags } = status;
  if (batchId === undefined) {
    const lines = await newest(status);
    return printJson(context, { batches: lines.map(({ batch, counts }) => batchJson(batch, counts)) });
  }
  const { batch, counts, invoiced } = await readBatch(deps, { batchId, actor });
  const heldUp = await whyWaiting({ ledger: deps.ledger, seeWorkers }, batch);
  const head = { ...batchJson(batch, counts, invoiced), held_up: heldUp };
  if (!flags.rows && !flags.state) return printJson(context, head);
  await streamRows(context, head, { ...status, batchId });
}

/** The rows of a large batch are written as they are read; the document is one all the same. */
async function streamRows(
  { stdout }: CliContext,
  head: object,
  { deps, actor, batchId, flags }: Status & { readonly batchId: string },
): Promise<void> {
  stdout.write(`${JSON.stringify(head).slice(0, -1)},"rows":[`);
  const { state: states } = flags;
  let separator = '\n';
  for (let afterPosition = -1; ; ) {
    const page = await listRows(deps, { batchId, actor, afterPosition, limit: 500, ...(states && { states }) });
    for (const row of page) {
      stdout.write(`${separator}${JSON.stringify(rowJson(row))}`);
      separator = ',\n';
    }
    const last = page.at(-1);
    if (!last) break;
    afterPosition = last.position;
  }
  stdout.write('\n]}\n');
}

/** Until the batch ends, or the person has seen enough; the batch does not mind either. */
async function watch(context: CliContext, status: Status): Promise<void> {
  const { deps, actor, batchId, flags } = status;
  const stop = new AbortController();
  const unhook = context.onInterrupt(() => stop.abort());
  const screen = createScreen(context, flags);
  try {
    while (!stop.signal.aborted) {
      await screen.show(status);
      if (batchId !== undefined && isOver((await readBatch(deps, { batchId, actor })).batch)) return;
      await sleep(redrawMs, undefined, { signal: stop.signal }).catch(() => undefined);
    }
    screen.end();
    say(context, 'Detached; the batch continues');
  } finally {
    screen.end();
    unhook();
  }
}

function isOver({ state }: BatchView): boolean {
  return state !== 'preparing' && state !== 'waiting' && state !== 'making';
}

interface Screen {
  show(status: Status): Promise<void>;
  end(): void;
}

function createScreen(context: CliContext, { json }: StatusFlags): Screen {
  const live = !json && context.stdout.isTTY && progressMode('auto', context) === 'live';
  if (live) {
    const block = createLiveBlock({ stderr: context.stdout });
    let last: readonly string[] = [];
    return {
      async show(status) {
        last = await statusLines(status, roomOf(context.stdout, context.env));
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
    async show(status) {
      const now = json ? await changeJson(status) : (await statusLines(status, Number.POSITIVE_INFINITY)).join('\n');
      if (now !== shown) printLine(context, now);
      shown = now;
    },
    end: () => undefined,
  };
}

async function changeJson(status: Status): Promise<string> {
  const { deps, actor, batchId } = status;
  if (batchId !== undefined) {
    const { batch, counts } = await readBatch(deps, { batchId, actor });
    return JSON.stringify(batchJson(batch, counts));
  }
  const lines = await newest(status);
  return JSON.stringify({ batches: lines.map(({ batch, counts }) => batchJson(batch, counts)) });
}

function parseStates(text: string): readonly RowState[] {
  return text.split(',').flatMap((word) => {
    const states = statesOfWord(word);
    if (states.length > 0) return states;
    throw new InvalidArgumentError(`It must be one of ${[...new Set(Object.values(rowStateWords))].join(', ')}.`);
  });
}
