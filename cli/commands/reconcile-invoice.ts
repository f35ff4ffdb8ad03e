import { basename } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { InvoiceError, type InvoiceFile, readInvoice } from '../../invoices/read-invoice.js';
import type { InvoiceMatch } from '../../ledger/money/invoice-match.js';
import type { Reconciled } from '../../ledger/money/invoices.js';
import { ManifestError } from '../../manifests/read-manifest.js';
import { type InvoiceInput, previewInvoice, reconcileInvoice } from '../../operations/money/invoices.js';
import { nextDay } from '../../reports/wording/day.js';
import { printable } from '../../reports/wording/printable.js';
import { formatTime } from '../../reports/wording/time-text.js';
import { openSource } from '../manifest/manifest-source.js';
import { renewReportsHere } from '../session/renew-reports.js';
import { homeOption, type Session, withSession } from '../session/session.js';
import { ask, canAsk } from '../terminal/ask.js';
import type { CliContext } from '../terminal/context.js';
import { parseDay } from '../terminal/day.js';
import { CliError, exitCodes } from '../terminal/exit-codes.js';
import { createPaint } from '../terminal/paint.js';
import { printJson, printLine, say, sayNext } from '../terminal/print.js';
import { columnsOf, roomOf } from '../terminal/text-width.js';
import { findingJson } from '../views/check-json.js';
import { amount, findingLines } from '../views/findings-table.js';
import { invoiceJson } from '../views/invoice-json.js';
import { invoiceLines } from '../views/invoice-view.js';

interface InvoiceFlags {
  readonly preview?: true | undefined;
  readonly yes?: true | undefined;
  readonly from?: number | undefined;
  readonly until?: number | undefined;
  readonly number?: string | undefined;
  readonly encoding?: string | undefined;
  readonly json?: true | undefined;
  readonly home?: string | undefined;
}

const format = `
The invoice is a CSV file. Its header names, in any order and beside any other columns:
  movie_id or idempotency_key   which movie a line is about
  amount                        as 1234.50 or 1.234,50; a credit is negative
  currency                      as USD; or behind each amount, as 1.50 USD
  description                   optional
  invoice_number                optional; a file may hold several invoices
Every invoice is kept, and what counts for a movie is the sum over all of them: a surcharge or a credit note (negative
amounts) comes as a further invoice, in any order, and reading one twice changes nothing. What is charged beyond the
approved amount is booked as overrun.

Example:
  greenlight reconcile invoice-2026-11.csv --from 2026-11-01 --until 2026-11-30 --preview`;

/** `greenlight reconcile <invoice.csv>`: what the service charges against what the books say. */
export function addReconcileInvoiceCommand(reconcile: Command, context: CliContext): void {
  reconcile
    .command('invoice', { isDefault: true })
    .description(
      'Match an invoice with the ledger and record differences as corrections; exit 1 if movies are missing on either side',
    )
    .argument('<invoice.csv>', 'invoice as CSV; - for standard input')
    .option('--preview', 'show the result without recording anything')
    .option('-y, --yes', 'skip the confirmation prompt')
    .option('--from <day>', 'first day the invoice covers (by acceptance of the movie)', parseDay)
    .option('--until <day>', 'last day the invoice covers', parseDay)
    .option('--number <number>', 'invoice number for all lines (default: its invoice_number, or the file name)')
    .option('--encoding <name>', 'text encoding, if not UTF-8')
    .option('--json', 'output JSON with every movie')
    .addOption(homeOption())
    .addHelpText('after', format)
    .action(async (path, flags) => {
      try {
        const { invoice, name } = await openInvoice(context, path, flags);
        await withSession(context, flags, (session) => reconcileFile(context, { session, invoice, name, flags }));
      } catch (error) {
        if (!(error instanceof InvoiceError)) throw error;
        showFindings(context, error, { path, json: flags.json ?? false });
      }
    });
}

interface NamedInvoice {
  readonly invoice: InvoiceFile;
  readonly name: string;
}

async function openInvoice(context: CliContext, path: string, { encoding }: InvoiceFlags): Promise<NamedInvoice> {
  const { source, close } = await openSource(context, path).catch((error: unknown) => {
    throw error instanceof ManifestError
      ? new InvoiceError({ findings: error.findings, columns: [], omitted: [] }, error)
      : error;
  });
  try {
    return { invoice: await readInvoice(source, encoding), name: path === '-' ? source.name : basename(path) };
  } finally {
    await close();
  }
}

interface Reconciling {
  readonly session: Session;
  readonly invoice: InvoiceFile;
  readonly name: string;
  readonly flags: InvoiceFlags;
}

async function reconcileFile(context: CliContext, { session, invoice, name, flags }: Reconciling): Promise<void> {
  const { deps } = session;
  const { lines, findings, columns } = invoice;
  for (const line of findingLines({ findings, omitted: [], head: { columns } }, viewOf(context, context.stderr))) {
    say(context, line);
  }
  const input = {
    ...{ name, lines, actor: await session.actor() },
    ...(flags.number !== undefined && { number: flags.number }),
    ...(flags.from !== undefined && { fromMs: flags.from }),
    ...(flags.until !== undefined && { untilMs: nextDay(flags.until) }),
  };
  const found = await previewInvoice(deps, input);
  const rehearsal = deps.service.rehearsal ? ' (rehearsal, no charges)' : '';
  if (!flags.json) {
    printLine(
      context,
      `${printable(name)}  ${deps.service.name}${rehearsal}  ${amount(lines.length)} ${lines.length === 1 ? 'line' : 'lines'}`,
    );
    for (const { number, readAtMs } of found.readBefore) {
      printLine(context, `${printable(number)} was read on ${formatTime(readAtMs)}: it counts once`);
    }
    for (const line of invoiceLines(found, roomOf(context.stdout, context.env))) printLine(context, line);
  }
  const refused = flags.preview ? null : await refusal(context, found, flags);
  const booked = flags.preview || refused ? null : await book(session, { ...input, accepted: found.different });
  const corrections = flags.preview || refused ? 0 : found.different.length;
  const about = {
    ...{ invoice: name, service: deps.service.name, rehearsal: deps.service.rehearsal, corrections },
    invoiced_batches: booked?.invoicedBatchIds ?? [],
  };
  if (flags.json) printJson(context, invoiceJson(found, about));
  if (refused) throw refused;
  if (!flags.json) {
    printLine(context, outcomeWords(found, flags));
    for (const batchId of booked?.invoicedBatchIds ?? []) printLine(context, `${batchId}: every movie is invoiced`);
    sayNext(context, flags.preview ? `greenlight reconcile ${name} records it` : 'greenlight spend');
  }
  context.setExitCode(isSettled(found, corrections) ? exitCodes.ok : exitCodes.incomplete);
}

async function book(session: Session, input: InvoiceInput): Promise<Reconciled> {
  const reconciled = await reconcileInvoice(session.deps, input);
  await renewReportsHere(session);
  return reconciled;
}

/** Why nothing is booked; null when somebody agreed, or there is nothing to agree to. */
async function refusal(
  context: CliContext,
  { different }: InvoiceMatch,
  flags: InvoiceFlags,
): Promise<CliError | null> {
  if (flags.yes || different.length === 0) return null;
  const count = different.length;
  const corrections = count === 1 ? '1 correction' : `${count} corrections`;
  if (!canAsk(context)) {
    const why = `Cannot book ${corrections}: no terminal to confirm on; --yes records them`;
    return new CliError(why, exitCodes.stopped);
  }
  const answer = await ask(
    context,
    `Book ${corrections}? Type the number of corrections to confirm (Enter to abort): `,
  );
  return answer === String(count) ? null : new CliError('Nothing is booked', exitCodes.stopped);
}

function outcomeWords({ different }: InvoiceMatch, { preview }: InvoiceFlags): string {
  const count = different.length;
  if (count === 0) return preview ? 'Nothing to correct; nothing was written' : 'Nothing to correct';
  const corrections = count === 1 ? '1 correction' : `${count} corrections`;
  return preview ? `${corrections} to book; nothing was written` : `${corrections} booked`;
}

/** Differences that are booked are settled; a movie that one side does not know is a question for people. */
function isSettled({ different, missingHere, missingThere }: InvoiceMatch, corrections: number): boolean {
  return missingHere.length === 0 && missingThere.length === 0 && different.length === corrections;
}

function showFindings(
  context: CliContext,
  { findings, omitted, columns }: InvoiceError,
  { path, json }: { readonly path: string; readonly json: boolean },
): void {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  context.setExitCode(exitCodes.usage);
  if (json) {
    printJson(context, { invoice: path, errors, findings: findings.map(findingJson), omitted });
    return;
  }
  const view = viewOf(context, context.stdout);
  for (const line of findingLines({ findings, omitted, head: { columns } }, view)) printLine(context, line);
  say(context, `Cannot use the invoice: ${errors === 1 ? '1 error' : `${amount(errors)} errors`}; nothing was written`);
}

function viewOf({ env }: CliContext, stream: CliContext['stdout']) {
  return { columns: columnsOf(stream, env), isTerminal: stream.isTTY ?? false, paint: createPaint(stream, env) };
}
