import { type Command, Option } from '@commander-js/extra-typings';
import { archiveHere } from '../../home/archive/archive-here.js';
import type { AuditRecord } from '../../ledger/access/audit.js';
import type { BookFault } from '../../ledger/verification/ledger-fault.js';
import { type AuditPage, auditPage } from '../../operations/access/audit-page.js';
import { auditHasForeignText, eachAudit, verifyBooks } from '../../operations/audit.js';
import type { OperationDeps } from '../../operations/deps.js';
import { auditCsvHead, auditCsvRow } from '../../reports/audit-csv.js';
import { auditTable } from '../../reports/book-tables.js';
import { detailWords } from '../../reports/wording/audit-words.js';
import { printable } from '../../reports/wording/printable.js';
import { formatTime } from '../../reports/wording/time-text.js';
import { differenceWords, faultWords, outsideWords } from '../../reports/wording/verdict-words.js';
import { wholeNumberFrom } from '../manifest/manifest-flags.js';
import { homeOption, withSession } from '../session/session.js';
import type { CliContext } from '../terminal/context.js';
import { exitCodes } from '../terminal/exit-codes.js';
import { fitTable } from '../terminal/fit-table.js';
import { printJson, printLine, say, sayNext } from '../terminal/print.js';
import { roomOf } from '../terminal/text-width.js';
import { writeOut } from '../terminal/write-out.js';
import { gathered, writeTable } from '../views/write-table.js';

const shownRecords = 50;

/** `greenlight audit`: who decided what, and whether the books are sound. */
export function addAuditCommand(program: Command, context: CliContext): void {
  const audit = program
    .command('audit')
    .description('Show decisions and refused attempts; verify the ledger')
    .addHelpText(
      'after',
      '\nExample:\n  greenlight audit list --of spring-launch-3\n  greenlight audit list --csv > audit.csv\n  greenlight audit verify',
    );
  addList(audit, context);
  addVerify(audit, context);
}

function addList(audit: Command, context: CliContext): void {
  audit
    .command('list', { isDefault: true })
    .description('List audit records, newest first (CSV: all, oldest first)')
    .option('--of <object>', 'only records of this batch, budget or person')
    .option('--limit <records>', 'maximum number of records (default: 50)', wholeNumberFrom(1))
    .addOption(new Option('--csv', 'output CSV for a spreadsheet').conflicts(['limit', 'json']))
    .addOption(new Option('--xlsx <file>', 'write a workbook, oldest first').conflicts(['limit', 'json', 'csv']))
    .option('--json', 'output one JSON object a line')
    .addOption(homeOption())
    .addHelpText('after', '\nExample:\n  greenlight audit list --of spring-launch-3')
    .action(({ of, limit = shownRecords, ...flags }) =>
      withSession(context, flags, async ({ deps, ...session }) => {
        const actor = await session.actor();
        const look = { actor, ...(of !== undefined && { object: of }) };
        const { xlsx } = flags;
        if (xlsx !== undefined) {
          return writeTable(context, xlsx, auditTable(await gathered(xlsx, eachAudit(deps, look))));
        }
        if (flags.csv) return writeCsv(context, deps, look);
        const { records, hasMore } = await auditPage(deps, { ...look, pageSize: limit });
        if (flags.json) {
          for (const record of records) printLine(context, JSON.stringify(recordJson(record)));
          return;
        }
        for (const line of recordLines(records, roomOf(context.stdout, context.env))) printLine(context, line);
        const older = hasMore ? `greenlight audit list --limit ${2 * limit}, or ` : '';
        sayNext(context, `${older}greenlight audit verify`);
      }),
    );
}

function addVerify(audit: Command, context: CliContext): void {
  audit
    .command('verify')
    .description('Verify the audit chain, the entries and every counter; exit 1 if anything differs')
    .option('--json', 'output JSON')
    .addOption(homeOption())
    .addHelpText('after', '\nExample:\n  greenlight audit verify')
    .action((flags) =>
      withSession(context, flags, async ({ deps, installation, actor }) => {
        const archive = archiveHere(installation);
        const verdict = await verifyBooks(deps, { actor: await actor(), archive });
        const { chain, differences, faults, lateMovies, outside } = verdict;
        const isConsistent = chain.ok && differences.length === 0 && faults.length === 0;
        if (!isConsistent) context.setExitCode(exitCodes.incomplete);
        if (flags.json) {
          const late = lateMovies.map(faultJson);
          return printJson(context, { chain, differences, faults: faults.map(faultJson), late_movies: late, outside });
        }
        if (chain.ok) printLine(context, `chain verified to ${chain.length}, head ${chain.head.slice(0, 12)}`);
        else printLine(context, `chain broken at record ${chain.brokenAt}`);
        for (const difference of differences) printLine(context, differenceWords(difference));
        for (const fault of [...faults, ...lateMovies]) printLine(context, faultWords(fault));
        if (differences.length === 0) printLine(context, 'money adds up: every counter matches its entries');
        printLine(context, outsideWords(outside));
        if (isConsistent) sayNext(context, 'greenlight audit list');
        if (!isConsistent) say(context, 'Nothing was repaired: stop ordering until someone has looked into it');
      }),
    );
}

async function writeCsv(
  context: CliContext,
  deps: OperationDeps,
  look: Parameters<typeof eachAudit>[1],
): Promise<void> {
  const records = eachAudit(deps, look);
  const first = await records.next(); // before the head: who may not look gets no file
  await writeOut(context, auditCsvHead({ marked: await auditHasForeignText(deps) }));
  if (first.done) return;
  await writeOut(context, auditCsvRow(first.value));
  for await (const record of records) await writeOut(context, auditCsvRow(record));
}

function faultJson({ kind, batchId, rowKey, detail, of }: BookFault) {
  return { kind, of, batch: batchId, id: rowKey, detail };
}

function recordLines(records: AuditPage['records'], columns: number): readonly string[] {
  const lines = records.map(({ seq, atMs, actor, act, object, detail, currency }) => [
    String(seq),
    formatTime(atMs),
    actor.name,
    act.replaceAll('_', ' '),
    printable(object),
    detailWords(detail, currency),
  ]);
  return fitTable(lines, { columns, align: [{ align: 'right' }] });
}

function recordJson({ seq, atMs, actor, act, object, detail, hash }: AuditRecord) {
  return { seq, at: new Date(atMs).toISOString(), by: actor.name, channel: actor.channel, act, object, detail, hash };
}
