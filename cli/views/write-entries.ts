import { formatMoney } from '../../domain/money.js';
import type { MoneyMovement } from '../../ledger/money/statement.js';
import type { OperationDeps } from '../../operations/deps.js';
import { eachMovement, type MovementLook, notesHaveForeignText } from '../../operations/money/spend.js';
import { entriesTable } from '../../reports/book-tables.js';
import { entriesCsvHead, entriesCsvRow } from '../../reports/entries-csv.js';
import { printable } from '../../reports/wording/printable.js';
import { formatTime } from '../../reports/wording/time-text.js';
import type { CliContext } from '../terminal/context.js';
import { fitTable } from '../terminal/fit-table.js';
import { roomOf } from '../terminal/text-width.js';
import { writeOut } from '../terminal/write-out.js';
import { gathered, writeTable } from './write-table.js';

export interface EntriesToWrite {
  readonly filter: MovementLook;
  readonly csv?: true | undefined;
  readonly json?: true | undefined;
  /** A workbook to write. */
  readonly xlsx?: string | undefined;
}

/** Every movement of money, in the order in which it was booked. */
export async function writeEntries(
  context: CliContext,
  deps: OperationDeps,
  { filter, csv, json, xlsx }: EntriesToWrite,
): Promise<void> {
  if (xlsx !== undefined) {
    const entries = await gathered(xlsx, eachMovement(deps, filter));
    return writeTable(context, xlsx, entriesTable(entries));
  }
  if (csv) await writeOut(context, entriesCsvHead({ marked: await notesHaveForeignText(deps) }));
  let lines: MoneyMovement[] = [];
  for await (const entry of eachMovement(deps, filter)) {
    if (json) await writeOut(context, `${JSON.stringify(entryJson(entry))}\n`);
    else if (csv) await writeOut(context, entriesCsvRow(entry));
    else lines.push(entry);
    if (lines.length < alignedTogether) continue;
    await writeOut(context, screenOf(lines, context));
    lines = [];
  }
  if (lines.length > 0) await writeOut(context, screenOf(lines, context));
}

/** Lines whose columns are of one width: a book may have millions. */
const alignedTogether = 500;

function screenOf(entries: readonly MoneyMovement[], { stdout, env }: CliContext): string {
  const rows = entries.map(({ entryId, atMs, kind, batchId, rowKey, amountMinor, currency, note }) => [
    ...[String(entryId), formatTime(atMs), kind, batchId, rowKey ?? ''],
    ...[formatMoney({ amountMinor, currency }), printable(note ?? '')],
  ]);
  const right = { align: 'right' } as const;
  const room = roomOf(stdout, env);
  return fitTable(rows, { columns: room, align: [right, {}, {}, {}, {}, right] })
    .map((line) => `${line}\n`)
    .join('');
}

function entryJson(entry: MoneyMovement) {
  return {
    entry: entry.entryId,
    at: new Date(entry.atMs).toISOString(),
    kind: entry.kind,
    campaign: entry.campaign,
    batch: entry.batchId,
    id: entry.rowKey,
    attempt: entry.attempt,
    movie_id: entry.movieId,
    budget: entry.budgetPath,
    service: entry.service,
    rehearsal: entry.rehearsal,
    currency: entry.currency,
    amount_minor: entry.amountMinor,
    spent_minor: entry.spentMinor,
    overrun_minor: entry.overrunMinor,
    note: entry.note,
  };
}
