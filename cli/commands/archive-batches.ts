import type { Command } from '@commander-js/extra-typings';
import { createLedgerFiles } from '../../archive/ledger-files.js';
import {
  type ArchivedBatch,
  archiveBatches,
  batchesToArchive,
  restoreBatch,
} from '../../operations/batch/archived-batches.js';
import { formatTime } from '../../reports/wording/time-text.js';
import { homeOption, type Session, withSession } from '../session/session.js';
import type { CliContext } from '../terminal/context.js';
import { parseDay } from '../terminal/day.js';
import { CliError, exitCodes } from '../terminal/exit-codes.js';
import { printJson, printLine, sayNext } from '../terminal/print.js';

/** `greenlight archive-batches`: what is long over goes from the ledger into files of the archive. */
export function addArchiveBatchesCommand(program: Command, context: CliContext): void {
  program
    .command('archive-batches')
    .description(
      'Move the briefs, requests, answers and lists of files of old batches from the ledger into the archive',
    )
    .option('--before <day>', 'batches that ended before this day, e.g. 2026-06-30', parseDay)
    .option('--restore <batch>', 'bring an archived batch back into the ledger')
    .option('--preview', 'only list what would be moved')
    .option('--json', 'output one JSON object a batch')
    .addOption(homeOption())
    .addHelpText(
      'after',
      '\nTotals, prices, entries and the audit log stay in the ledger; "verify" and "audit verify" read the files.\n' +
        '\nExample:\n  greenlight archive-batches --before 2026-06-30\n  greenlight archive-batches --restore spring-launch-3',
    )
    .action(({ before, restore, ...flags }) => {
      if ((before === undefined) === (restore === undefined)) {
        throw new CliError('Cannot archive: say either --before <day> or --restore <batch>', exitCodes.usage);
      }
      return withSession(context, flags, async (session) => {
        if (restore !== undefined) return bringBack(session, restore, flags);
        return flags.preview ? preview(session, before ?? 0, flags) : move(session, before ?? 0, flags);
      });
    });

  type Flags = { readonly json?: true | undefined };

  async function bringBack({ deps, installation, actor }: Session, batchId: string, { json }: Flags): Promise<void> {
    const files = createLedgerFiles(installation.archive);
    const batch = await restoreBatch(deps, { batchId, files, actor: await actor() });
    if (json) printJson(context, batchJson(batch));
    else printLine(context, `${batchId} is back in the ledger; ${batch.path} stays in the archive`);
  }

  async function preview({ deps, actor }: Session, beforeMs: number, { json }: Flags): Promise<void> {
    const batches = await batchesToArchive(deps, { beforeMs, actor: await actor() });
    for (const batch of batches) printLine(context, json ? JSON.stringify({ batch }) : batch);
    if (json) return;
    printLine(context, `${batchCount(batches.length)} would be archived`);
    const day = formatTime(beforeMs).slice(0, 10);
    if (batches.length > 0) sayNext(context, `greenlight archive-batches --before ${day}`);
  }

  async function move({ deps, installation, actor }: Session, beforeMs: number, { json }: Flags): Promise<void> {
    const files = createLedgerFiles(installation.archive);
    let count = 0;
    for await (const batch of archiveBatches(deps, { beforeMs, files, actor: await actor() })) {
      count += 1;
      printLine(context, json ? JSON.stringify(batchJson(batch)) : batchLine(batch));
    }
    if (!json) printLine(context, `${batchCount(count)} archived`);
  }
}

function batchLine({ batch_id, rows, path, size_bytes }: ArchivedBatch): string {
  return `${batch_id}  ${rows} rows, ${Math.ceil(size_bytes / 1024)} kB: ${path}`;
}

function batchCount(count: number): string {
  return count === 1 ? '1 batch' : `${count} batches`;
}

function batchJson({ batch_id: batch, path, sha256, size_bytes, rows, orders, sends, files }: ArchivedBatch) {
  return { batch, path, sha256, size_bytes, lines: { rows, orders, sends, files } };
}
