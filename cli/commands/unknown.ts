import type { Command } from '@commander-js/extra-typings';
import { formatMoney } from '../../domain/money.js';
import type { Resolution } from '../../ledger/orders/proposals.js';
import type { UnknownRow } from '../../ledger/orders/unknowns.js';
import { listUnknowns, resolveUnknown } from '../../operations/unknowns.js';
import { printable } from '../../reports/wording/printable.js';
import { formatTime } from '../../reports/wording/time-text.js';
import { warnNotNotified } from '../session/notified.js';
import { renewReportsHere } from '../session/renew-reports.js';
import { homeOption, withSession } from '../session/session.js';
import { ask, canAsk } from '../terminal/ask.js';
import type { CliContext } from '../terminal/context.js';
import { CliError, exitCodes } from '../terminal/exit-codes.js';
import { fitTable } from '../terminal/fit-table.js';
import { printJson, printLine, say, sayNext } from '../terminal/print.js';
import { roomOf } from '../terminal/text-width.js';

interface ResolveFlags {
  readonly created?: string | undefined;
  readonly notCreated?: true | undefined;
  readonly evidence?: string | undefined;
  readonly resend?: true | undefined;
  readonly lost?: true | undefined;
  readonly yes?: true | undefined;
}

/** `greenlight unknown`: orders whose answer never came. */
export function addUnknownCommand(program: Command, context: CliContext): void {
  const unknown = program
    .command('unknown')
    .description('List and resolve orders with an unconfirmed outcome; their funds stay on hold until resolved')
    .addHelpText(
      'after',
      '\nExample:\n  greenlight unknown list\n  greenlight unknown resolve spring-launch-3 ep-07 --created movie_8Fk2',
    );
  addList(unknown, context);
  addResolve(unknown, context);
}

function addList(unknown: Command, context: CliContext): void {
  unknown
    .command('list')
    .description('List unknown orders, oldest first')
    .argument('[batch]', 'only this batch')
    .option('--json', 'output JSON')
    .addOption(homeOption())
    .addHelpText('after', '\nExample:\n  greenlight unknown list spring-launch-3')
    .action((batchId, flags) =>
      withSession(context, flags, async ({ deps, actor }) => {
        const rows = await listUnknowns(deps, { actor: await actor(), ...(batchId !== undefined && { batchId }) });
        if (flags.json) return printJson(context, rows.map(unknownJson));
        if (rows.length === 0) return say(context, 'No unknown orders');
        for (const line of unknownLines(rows, roomOf(context.stdout, context.env))) printLine(context, line);
        const [only] = rows.length === 1 ? rows : [];
        const which = only ? `${only.batchId} ${only.row.rowKey}` : '<batch> <row>';
        sayNext(context, `greenlight unknown resolve ${which}, with --created, --not-created, --lost or --resend`);
      }),
    );
}

function addResolve(unknown: Command, context: CliContext): void {
  unknown
    .command('resolve')
    .description('Resolve an unknown order or a stuck movie; a second person confirms it, unless you work alone')
    .argument('<batch>', 'batch id, e.g. spring-launch-3')
    .argument('<row>', 'row id')
    .option('--created <movie id>', 'the order created this movie; check it with the service and follow it from here')
    .option('--not-created', 'the order created nothing; release its funds (needs --evidence)')
    .option('--lost', 'give up a paid movie, which can be refetched or retried (needs --evidence)')
    .option('--evidence <words>', 'how you know; kept in the audit log')
    .option('--resend', 'send the order once more; it may be billed twice, up to the hold')
    .option('-y, --yes', 'skip the confirmation before a resend')
    .option('--json', 'output JSON')
    .addOption(homeOption())
    .addHelpText('after', '\nExample:\n  greenlight unknown resolve spring-launch-3 ep-07 --created movie_8Fk2')
    .action((batchId, rowKey, flags) =>
      withSession(context, flags, async (session) => {
        const { deps, actor, installation } = session;
        const resolution = resolutionOf(flags);
        if (resolution.kind === 'resend') await acceptResend(context, { batchId, rowKey, flags });
        const answer = await resolveUnknown(deps, {
          ...{ batchId, rowKey, resolution, actor: await actor() },
          movieApi: () => installation.movieApi(),
        });
        const { resolved } = answer;
        await renewReportsHere(session);
        if (flags.json) return printJson(context, { batch: batchId, id: rowKey, ...resolved, told: answer.told });
        if (resolved.state === 'proposed') {
          printLine(
            context,
            `${batchId} ${rowKey} proposed by ${resolved.by}; a second person confirms by the same command`,
          );
        } else {
          printLine(context, `${batchId} ${rowKey} resolved: ${wordsOf(resolution)}`);
        }
        warnNotNotified(context, answer);
        if (resolved.state !== 'proposed') sayNext(context, `greenlight status ${batchId}`);
      }),
    );
}

function resolutionOf({ created, notCreated, evidence, resend, lost }: ResolveFlags): Resolution {
  const given = [created, notCreated, resend, lost].filter((flag) => flag !== undefined);
  if (given.length !== 1) {
    throw new CliError(
      'Cannot resolve: use one of --created <movie id>, --not-created, --lost, --resend',
      exitCodes.usage,
    );
  }
  if (created !== undefined) return { kind: 'created', movieId: created };
  if (resend) return { kind: 'resend' };
  const flag = lost ? '--lost' : '--not-created';
  if (!evidence) throw new CliError(`Cannot resolve: ${flag} needs --evidence (how you know)`, exitCodes.usage);
  return { kind: lost ? 'lost' : 'not_created', evidence };
}

async function acceptResend(
  context: CliContext,
  { batchId, rowKey, flags }: { readonly batchId: string; readonly rowKey: string; readonly flags: ResolveFlags },
): Promise<void> {
  if (flags.yes) return;
  const risk = `A resend of ${batchId} ${rowKey} may be billed twice`;
  if (!canAsk(context)) throw new CliError(`${risk}: --yes accepts that`, exitCodes.stopped);
  if ((await ask(context, `${risk}. Type the row id to confirm (Enter to abort): `)) === rowKey) return;
  throw new CliError('Nothing is sent', exitCodes.stopped);
}

function wordsOf(resolution: Resolution): string {
  switch (resolution.kind) {
    case 'created':
      return `it created ${resolution.movieId}`;
    case 'not_created':
      return 'no movie was created; its funds are released';
    case 'lost':
      return 'its movie is given up as lost';
    case 'resend':
      return 'it will be sent once more';
    default:
      return resolution satisfies never;
  }
}

function unknownLines(rows: readonly UnknownRow[], columns: number): readonly string[] {
  const lines = rows.map(({ batchId, currency, row, proposal }) => [
    batchId,
    row.rowKey,
    formatMoney({ amountMinor: row.amountMinor ?? 0, currency }),
    printable(row.reason ?? 'no answer'),
    proposal === null ? '' : `proposed by ${proposal.by}: ${wordsOf(proposal.resolution)}`,
  ]);
  return fitTable([['BATCH', 'ROW', 'HELD', 'WHY', ''], ...lines], { columns, align: [{}, {}, { align: 'right' }] });
}

function unknownJson({ batchId, currency, row, proposal }: UnknownRow) {
  return {
    batch: batchId,
    id: row.rowKey,
    currency,
    held_minor: row.amountMinor,
    attempt: row.attempt,
    idempotency_key: row.idempotencyKey,
    reason: row.reason,
    cancel_requested: row.cancelRequested,
    proposal: proposal && { ...proposal.resolution, by: proposal.by, at: formatTime(proposal.atMs) },
  };
}
