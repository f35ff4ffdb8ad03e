import type { Command } from '@commander-js/extra-typings';
import type { RowCounts } from '../../domain/batch-state.js';
import { rowStates } from '../../domain/row-state.js';
import { isBatchOrCampaign, listRows } from '../../operations/batches.js';
import type { WaitingDeps } from '../../operations/why-waiting.js';
import { findBatch, findBatches, rowStatesOf, type StatusFlags, type StatusQuery } from '../flow/status-query.js';
import { watchStatus } from '../flow/watch-status.js';
import { homeOption, waitingDeps, withSession } from '../session/session.js';
import type { CliContext } from '../terminal/context.js';
import { parseSince } from '../terminal/day.js';
import { printJson, printLine } from '../terminal/print.js';
import { roomOf, wrapWords } from '../terminal/text-width.js';
import { batchJson, reasonJson, rowJson } from '../views/batch-json.js';
import { type BatchLine, batchLines, batchTable, rowTable } from '../views/batch-view.js';
import { billingLines } from '../views/billing-lines.js';

/** Rows of a batch on a screen; programs get all of them by --json. */
const shownRows = 100;
const workersEveryMs = 5_000;

/** `greenlight status`: counts, money, what waits and why. */
export function addStatusCommand(program: Command, context: CliContext): void {
  program
    .command('status')
    .description('Show batches: counts, money, what is waiting and why')
    .argument('[batch]', 'batch id, e.g. spring-launch-3, or a campaign (default: the newest batches)')
    .option('--rows', 'include every row')
    .option(
      '--state <states>',
      'only these states, e.g. "in progress,failed": of rows with a batch, else of batches',
      words,
    )
    .option('--campaign <name>', 'only batches of this campaign')
    .option('--since <when>', 'only batches submitted since a day or for as long, e.g. 2026-11-01 or 3d', parseSince)
    .option('--all', 'every batch, not only the newest 20')
    .option('--watch', 'keep running and show changes')
    .option('--json', 'output JSON; with --watch, one object per change')
    .addOption(homeOption())
    .addHelpText(
      'after',
      '\nExample:\n  greenlight status spring-launch-3 --state failed\n  greenlight status --campaign spring-launch --since 7d',
    )
    .action((named, flags) =>
      withSession(context, flags, async (session) => {
        const deps = waitingDeps(session);
        const actor = await session.actor();
        const of = named === undefined ? 'batch' : await isBatchOrCampaign(deps, { id: named, actor });
        const query = {
          ...{ deps: { ...deps, seeWorkers: nowAndThen(deps.seeWorkers) }, actor },
          flags: of === 'campaign' ? { ...flags, campaign: named } : flags,
        };
        const batchId = of === 'campaign' ? undefined : named;
        if (flags.watch)
          return watchStatus(context, query, { batchId, linesOf: (columns) => linesOf(query, batchId, columns) });
        if (flags.json) return printStatusJson(context, query, batchId);
        const columns = roomOf(context.stdout, context.env);
        for (const line of await linesOf(query, batchId, columns)) printLine(context, line);
      }),
    );
}

async function linesOf(query: StatusQuery, batchId: string | undefined, columns: number): Promise<readonly string[]> {
  const { deps, flags } = query;
  const options = { nowMs: deps.clock(), columns };
  if (batchId === undefined) {
    const { lines, hasMore } = await findBatches(query);
    if (lines.length === 0) return [emptyWords(flags)];
    const billing = await billingLines(
      deps,
      lines.map(({ batch }) => batch.service),
    );
    const older = hasMore ? ['and older ones: greenlight status --all'] : [];
    const table = [...batchTable(lines, options), ...older, ...nextWords(lines)];
    return [...table, ...billing.flatMap((words) => wrapWords(words, columns))];
  }
  const line = await findBatch(query, batchId);
  const billing = await billingLines(deps, [line.batch.service]);
  const lines = [...batchLines(line, options), ...billing.flatMap((words) => wrapWords(`  ${words}`, columns, '  '))];
  if (!flags.rows && !flags.state) return lines;
  return [...lines, '', ...(await rowLines(query, { batchId, counts: line.counts, columns }))];
}

/** Where every batch has ended, none of their lines names a step: the newest batch has. */
function nextWords(lines: readonly BatchLine[]): readonly string[] {
  const [newest] = lines;
  const isQuiet = lines.every(({ reasons }) => reasons.length === 0);
  return newest && isQuiet ? [`next: greenlight status ${newest.batch.batchId}`] : [];
}

function emptyWords({ campaign, state, since }: StatusFlags): string {
  if (campaign === undefined && state === undefined && since === undefined) {
    return 'No batches yet; greenlight run <manifest> makes the first';
  }
  return 'No batch fits these filters; greenlight status shows the newest of all';
}

/** Who watches need not ask Temporal at each redraw. */
function nowAndThen(seeWorkers: WaitingDeps['seeWorkers']): WaitingDeps['seeWorkers'] {
  const asked = new Map<string | null, { atMs: number; seen: ReturnType<WaitingDeps['seeWorkers']> }>();
  return (batchId) => {
    const last = asked.get(batchId);
    if (last && performance.now() - last.atMs < workersEveryMs) return last.seen;
    const seen = seeWorkers(batchId);
    asked.set(batchId, { atMs: performance.now(), seen });
    return seen;
  };
}

interface RowsOfBatch {
  readonly batchId: string;
  readonly counts: RowCounts;
  readonly columns: number;
}

async function rowLines(
  { deps, actor, flags }: StatusQuery,
  { batchId, counts, columns }: RowsOfBatch,
): Promise<readonly string[]> {
  const states = flags.state && rowStatesOf(flags.state);
  const rows = await listRows(deps, { batchId, actor, limit: shownRows, ...(states && { states }) });
  if (rows.length === 0) return ['no such rows'];
  const all = (states ?? rowStates).reduce((sum, state) => sum + (counts[state] ?? 0), 0);
  const more = all > rows.length ? [`and ${all - rows.length} more: --json`] : [];
  return [...rowTable(rows, { columns }), ...more];
}

async function printStatusJson(context: CliContext, query: StatusQuery, batchId: string | undefined): Promise<void> {
  const { deps, flags } = query;
  if (batchId === undefined) {
    const { lines } = await findBatches(query);
    const batches = lines.map(({ batch, counts, reasons }) => ({
      ...batchJson(batch, counts),
      reasons: reasons.map((reason) => reasonJson(reason, deps.clock())),
    }));
    return printJson(context, { batches });
  }
  const { batch, counts, invoiced, reasons } = await findBatch(query, batchId);
  const said = reasons.map((reason) => reasonJson(reason, deps.clock()));
  const heldUp = said.filter(({ kind }) => troubles.includes(kind)).map(({ words: line }) => line);
  const head = { ...batchJson(batch, counts, invoiced), held_up: heldUp, reasons: said };
  if (!flags.rows && !flags.state) return printJson(context, head);
  await streamRows(context, head, { ...query, batchId });
}

/** What `held_up` has always told: everything that no person's decision ends. */
const troubles: readonly string[] = [
  'temporal_away',
  'other_archive',
  'no_worker',
  'trouble',
  'disk_full',
  'service',
  'alarm',
  'overdue',
];

/** The rows of a large batch are written as they are read; the document is one all the same. */
async function streamRows(
  { stdout }: CliContext,
  head: object,
  { deps, actor, batchId, flags }: StatusQuery & { readonly batchId: string },
): Promise<void> {
  stdout.write(`${JSON.stringify(head).slice(0, -1)},"rows":[`);
  const states = flags.state && rowStatesOf(flags.state);
  let separator = '\n';
  for (let afterPosition = -1; ;) {
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

function words(text: string): readonly string[] {
  return text.split(',').map((word) => word.trim());
}
