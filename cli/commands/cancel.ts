import type { Command } from '@commander-js/extra-typings';
import { formatAmount } from '../../domain/money.js';
import type { CancelPreview } from '../../ledger/progress/cancels.js';
import { readBatch } from '../../operations/batches.js';
import { cancel, previewCancel } from '../../operations/cancels.js';
import { formatClock } from '../../reports/wording/time-text.js';
import { warnNotNotified } from '../session/notified.js';
import { homeOption, type Session, withSession } from '../session/session.js';
import { ask, canAsk } from '../terminal/ask.js';
import type { CliContext } from '../terminal/context.js';
import { CliError, exitCodes } from '../terminal/exit-codes.js';
import { printJson, printLine, sayNext } from '../terminal/print.js';
import { alignColumns } from '../terminal/text-width.js';
import { billingLines } from '../views/billing-lines.js';

interface CancelFlags {
  readonly all?: true | undefined;
  readonly reason?: string | undefined;
  readonly json?: true | undefined;
}

/** `greenlight cancel`: stops rows or a whole batch, and says what that saves. */
export function addCancelCommand(program: Command, context: CliContext): void {
  program
    .command('cancel')
    .description('Cancel rows of a batch, or all of it; movies that are paid for and finished are still saved')
    .argument('<batch>', 'batch id, e.g. spring-launch-3')
    .argument('[rows...]', 'row ids; use --all for every row')
    .option('--reason <words>', 'reason, kept with the rows and in the audit log')
    .option('--all', 'cancel every row of the batch')
    .option('--preview', 'show what it would save and what is already spent, without changing anything')
    .option('--json', 'output JSON')
    .addOption(homeOption())
    .addHelpText(
      'after',
      '\nExample:\n  greenlight cancel spring-launch-3 --preview\n  greenlight cancel spring-launch-3 ep-07 ep-08 --reason "wrong logo"',
    )
    .action((batchId, rows, flags) =>
      withSession(context, flags, async (session) => {
        if (flags.preview) {
          const rowKeys = rows.length === 0 ? 'all' : rows;
          const preview = await previewCancel(session.deps, { batchId, rowKeys, actor: await session.actor() });
          if (flags.json) return printJson(context, previewJson(preview));
          const lines = previewLines(preview, { atMs: session.deps.clock(), words: 'nothing changed.' });
          for (const line of lines) printLine(context, line);
          await sayBilling(session, batchId);
          return sayNext(context, `greenlight cancel ${batchId} ${namesOrAll(rows)} --reason "…"`);
        }
        const rowKeys = await rowsToCancel(context, batchId, { rows, flags });
        await cancelRows(session, { batchId, rowKeys }, flags);
      }),
    );

  async function cancelRows(
    { deps, ...session }: Session,
    what: { readonly batchId: string; readonly rowKeys: readonly string[] | 'all' },
    flags: CancelFlags,
  ): Promise<void> {
    const { reason } = flags;
    if (!reason) throw new CliError('Cannot cancel: --reason is required (kept in the audit log)', exitCodes.usage);
    const actor = await session.actor();
    const canceled = await cancel(deps, { ...what, actor, reason });
    // Counted only after the intent is committed: rows must not slip out meanwhile.
    const after = await previewCancel(deps, { ...what, actor });
    if (flags.json) return printJson(context, { batch: what.batchId, rows: canceled.rows, told: canceled.told });
    const rows = canceled.rows === 1 ? '1 row' : `${canceled.rows} rows`;
    const words =
      canceled.rows === 0 ? `no row of ${what.batchId} was left to cancel.` : `${rows} of ${what.batchId} canceled.`;
    const still = { ...after, ended: { rows: 0, amountMinor: 0 } };
    for (const line of previewLines(still, { atMs: deps.clock(), words })) {
      printLine(context, line);
    }
    await sayBilling({ deps, ...session }, what.batchId);
    warnNotNotified(context, canceled);
    if (canceled.told) sayNext(context, `greenlight status ${what.batchId}`);
  }

  async function sayBilling({ deps, actor }: Session, batchId: string): Promise<void> {
    const { batch } = await readBatch(deps, { batchId, actor: await actor() });
    for (const line of await billingLines(deps, [batch.service])) printLine(context, line);
  }
}

const shownRows = 5;

/** The rows as they were named, for the command that follows. */
function namesOrAll(rows: readonly string[]): string {
  if (rows.length === 0) return '--all';
  return rows.length > shownRows ? '<rows>' : rows.join(' ');
}

async function rowsToCancel(
  context: CliContext,
  batchId: string,
  { rows, flags }: { readonly rows: readonly string[]; readonly flags: CancelFlags },
): Promise<readonly string[] | 'all'> {
  if (flags.all && rows.length > 0) {
    throw new CliError(`Cannot cancel ${batchId}: name rows or give --all, not both`, exitCodes.usage);
  }
  if (flags.all) return 'all';
  if (rows.length > 0) return [...new Set(rows)];
  const all = 'name the rows, or use --all for every row';
  if (!canAsk(context)) throw new CliError(`Cannot cancel ${batchId}: ${all}`, exitCodes.usage);
  const answer = await ask(context, `Cancel every row of ${batchId}? Type the batch id to confirm (Enter to abort): `);
  if (answer !== batchId) throw new CliError(`Nothing is canceled: ${all}`, exitCodes.stopped);
  return 'all';
}

function previewLines(
  preview: CancelPreview,
  { atMs, words }: { readonly atMs: number; readonly words: string },
): readonly string[] {
  const { currency, charged } = preview;
  const effects = [
    [preview.not_spent, 'not sent', `${currency} not spent`],
    [preview.may_still_leave, 'being sent', 'held; this send may still leave'],
    [
      preview.may_be_charged,
      'in progress',
      charged ? 'posted; assumed charged even if canceled' : 'posted; assumed refunded',
    ],
    [preview.paid_and_kept, 'saving', 'paid, kept'],
    [preview.unknown, 'unknown', 'stays held'],
    [preview.ended, 'ended', 'unchanged'],
  ] as const;
  const rows = effects
    .filter(([{ rows: count }]) => count > 0)
    .map(([{ rows: count, amountMinor }, name, means]) => [
      String(count),
      name,
      name === 'ended' ? '' : formatAmount({ amountMinor, currency }),
      means,
    ]);
  const right = { align: 'right' } as const;
  return [`As of ${formatClock(atMs)}; ${words}`, ...alignColumns(rows, [right, {}, right])];
}

function previewJson({ currency, charged, ...effects }: CancelPreview) {
  const entries = Object.entries(effects).map(([effect, { rows, amountMinor }]) => [
    effect,
    { rows, amount_minor: amountMinor },
  ]);
  return { currency, running_assumed_charged: charged, ...Object.fromEntries(entries) };
}
