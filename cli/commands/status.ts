import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { type RowState, rowStates } from '../../domain/row-state.js';
import { type BatchView, listBatches, readBatch } from '../../ledger/batches/batches.js';
import { countRows, listRows } from '../../ledger/batches/rows.js';
import type { OperationDeps } from '../../operations/deps.js';
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
      withSession(context, flags, async ({ deps, installation }) => {
        const workersAway = installation.temporal === null;
        const status = { deps, batchId, flags, workersAway };
        if (flags.watch) return watch(context, status);
        if (flags.json) return printStatusJson(context, status);
        const columns = roomOf(context.stdout, context.env);
        const lines = await statusLines(deps, batchId, { flags, columns, workersAway });
        for (const line of lines) printLine(context, line);
      }),
    );
}

interface Status {
  readonly deps: OperationDeps;
  readonly batchId: string | undefined;
  readonly flags: StatusFlags;
  readonly workersAway: boolean;
}

interface LineOptions {
  readonly flags: StatusFlags;
  readonly columns: number;
  readonly workersAway?: boolean;
}

async function statusLines(
  deps: OperationDeps,
  batchId: string | undefined,
  { flags, columns, workersAway = false }: LineOptions,
): Promise<readonly string[]> {
  const options = { nowMs: deps.clock(), columns, workersAway };
  if (batchId === undefined) {
    const lines = await newest(deps);
    return lines.length === 0
      ? ['No batches yet; greenlight run <manifest> makes the first']
      : batchTable(lines, options);
  }
  const batch = await readBatch(deps.ledger, batchId);
  const lines = batchLines({ batch, counts: await countRows(deps.ledger, batchId) }, options);
  return flags.rows || flags.state ? [...lines, '', ...(await rowLines(deps, batch, { flags, columns }))] : lines;
}

async function newest({ ledger }: OperationDeps): Promise<readonly BatchLine[]> {
  const batches = await listBatches(ledger, { limit: shownBatches });
  return Promise.all(batches.map(async (batch) => ({ batch, counts: await countRows(ledger, batch.batchId) })));
}

async function rowLines(
  { ledger, clock }: OperationDeps,
  { batchId }: BatchView,
  { flags, columns }: LineOptions,
): Promise<readonly string[]> {
  const states = flags.state;
  const rows = await listRows(ledger, batchId, { limit: shownRows, ...(states && { states }) });
  if (rows.length === 0) return ['no such rows'];
  const counts = await countRows(ledger, batchId);
  const all = (states ?? rowStates).reduce((sum, state) => sum + (counts[state] ?? 0), 0);
  const more = all > rows.length ? [`and ${all - rows.length} more: --json`] : [];
  return [...rowTable(rows, { nowMs: clock(), columns }), ...more];
}

async function printStatusJson(context: CliContext, { deps, batchId, flags }: Status): Promise<void> {
  const { ledger } = deps;
  if (batchId === undefined) {
    const lines = await newest(deps);
    return printJson(context, { batches: lines.map(({ batch, counts }) => batchJson(batch, counts)) });
  }
  const head = batchJson(await readBatch(ledger, batchId), await countRows(ledger, batchId));
  if (!flags.rows && !flags.state) return printJson(context, head);
  await streamRows(context, head, { deps, batchId, flags });
}

/** The rows of a large batch are written as they are read; the document is one all the same. */
async function streamRows(
  { stdout }: CliContext,
  head: object,
  { deps, batchId, flags }: Omit<Status, 'workersAway'> & { readonly batchId: string },
): Promise<void> {
  stdout.write(`${JSON.stringify(head).slice(0, -1)},"rows":[`);
  const { state: states } = flags;
  let separator = '\n';
  for (let afterPosition = -1; ; ) {
    const page = await listRows(deps.ledger, batchId, { afterPosition, limit: 500, ...(states && { states }) });
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
  const { deps, batchId, flags } = status;
  const stop = new AbortController();
  const unhook = context.onInterrupt(() => stop.abort());
  const screen = createScreen(context, flags);
  try {
    while (!stop.signal.aborted) {
      await screen.show(status);
      if (batchId !== undefined && isOver(await readBatch(deps.ledger, batchId))) return;
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
      async show({ deps, batchId, flags, workersAway }) {
        last = await statusLines(deps, batchId, { flags, workersAway, columns: roomOf(context.stdout, context.env) });
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
    async show({ deps, batchId, flags, workersAway }) {
      const now = json
        ? await changeJson(deps, batchId)
        : (await statusLines(deps, batchId, { flags, workersAway, columns: Number.POSITIVE_INFINITY })).join('\n');
      if (now !== shown) printLine(context, now);
      shown = now;
    },
    end: () => undefined,
  };
}

async function changeJson(deps: OperationDeps, batchId: string | undefined): Promise<string> {
  if (batchId !== undefined) {
    return JSON.stringify(batchJson(await readBatch(deps.ledger, batchId), await countRows(deps.ledger, batchId)));
  }
  const lines = await newest(deps);
  return JSON.stringify({ batches: lines.map(({ batch, counts }) => batchJson(batch, counts)) });
}

function parseStates(text: string): readonly RowState[] {
  return text.split(',').map((word) => {
    const state = rowStates.find((one) => one === word.trim().replaceAll(' ', '_'));
    if (!state) throw new InvalidArgumentError(`It must be one of ${rowStates.join(', ')}.`);
    return state;
  });
}
