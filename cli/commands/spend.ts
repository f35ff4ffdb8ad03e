import { type Command, Option } from '@commander-js/extra-typings';
import { formatAmount, formatMoney } from '../../domain/money.js';
import { spendByDay } from '../../operations/money/spend.js';
import { spendTable } from '../../reports/book-tables.js';
import { type SpendSum, spendCsv, spendGroups, sumSpend } from '../../reports/spend.js';
import { nextDay } from '../../reports/wording/day.js';
import { homeOption, withSession } from '../session/session.js';
import type { CliContext } from '../terminal/context.js';
import { parseDay } from '../terminal/day.js';
import { printJson, printLine, say, sayNext } from '../terminal/print.js';
import { alignColumns, roomOf } from '../terminal/text-width.js';
import { billingLines } from '../views/billing-lines.js';
import { writeEntries } from '../views/write-entries.js';
import { writeTable } from '../views/write-table.js';

/** `greenlight spend`: where the money went. */
export function addSpendCommand(program: Command, context: CliContext): void {
  program
    .command('spend')
    .description('Show spending, from the entries of the ledger')
    .addOption(new Option('--by <what>', 'group by').choices(spendGroups).default('campaign' as const))
    .option('--from <day>', 'first day, e.g. 2026-11-01', parseDay)
    .option('--until <day>', 'last day', parseDay)
    .option('--campaign <name>', 'only this campaign')
    .option('--entries', 'list every entry instead of sums')
    .option('--csv', 'output CSV for a spreadsheet')
    .option('--xlsx <file>', 'write a workbook: amounts as numbers')
    .option('--json', 'output JSON; with --entries, one object a line')
    .addOption(homeOption())
    .addHelpText(
      'after',
      '\nExample:\n  greenlight spend --by day --from 2026-11-01 --csv\n  greenlight spend --entries --csv > entries.csv',
    )
    .action(({ by, from, until, campaign, ...flags }) =>
      withSession(context, flags, async ({ deps, actor }) => {
        const filter = {
          actor: await actor(),
          ...(from !== undefined && { fromMs: from }),
          ...(until !== undefined && { untilMs: nextDay(until) }),
          ...(campaign !== undefined && { campaign }),
        };
        if (flags.entries) return writeEntries(context, deps, { filter, ...flags });
        const days = await spendByDay(deps, {
          ...filter,
          offsetMinutes: -new Date(deps.clock()).getTimezoneOffset(),
        });
        const sums = sumSpend(days, by);
        if (flags.json) return printJson(context, sums.map(sumJson));
        if (flags.xlsx !== undefined) return writeTable(context, flags.xlsx, spendTable(sums, by));
        if (flags.csv) return void context.stdout.write(spendCsv(sums, by));
        if (sums.length === 0) return say(context, 'Nothing was spent');
        for (const line of spendLines(sums, by, roomOf(context.stdout, context.env))) printLine(context, line);
        for (const line of await billingLines(deps, sums)) printLine(context, line);
        sayNext(context, 'greenlight reconcile <invoice.csv>, or greenlight spend --entries');
      }),
    );
}

function spendLines(sums: readonly SpendSum[], by: string, columns: number): readonly string[] {
  const right = { align: 'right' } as const;
  const rows = sums.map(
    ({ group, movies, postedMinor, refundedMinor, correctedMinor, spentMinor, currency, rehearsal }) => {
      const amount = (amountMinor: number) => formatAmount({ amountMinor, currency });
      const spent = `${formatMoney({ amountMinor: spentMinor, currency })}${rehearsal ? ' (rehearsal)' : ''}`;
      return [group, String(movies), amount(postedMinor), amount(refundedMinor), amount(correctedMinor), spent];
    },
  );
  const heads = [by.toUpperCase(), 'MOVIES', 'POSTED', 'REFUNDED', 'CORRECTED', 'SPENT'];
  const table = alignColumns([heads, ...rows], [{}, right, right, right, right, right]);
  return withBars(table, sums, columns);
}

/** A bar where there is room for one; each currency, and a rehearsal, is measured against its own largest sum. */
function withBars(table: readonly string[], sums: readonly SpendSum[], columns: number): readonly string[] {
  const width = Math.max(...table.map((line) => line.length));
  const room = Math.min(30, columns - width - 2);
  if (room < 6) return table;
  const scale = ({ currency, rehearsal }: SpendSum) =>
    Math.max(
      ...sums.filter((sum) => sum.currency === currency && sum.rehearsal === rehearsal).map((sum) => sum.spentMinor),
    );
  return table.map((line, index) => {
    const sum = sums[index - 1];
    if (!sum || sum.spentMinor <= 0) return line;
    return `${line.padEnd(width)}  ${'#'.repeat(Math.max(1, Math.round((sum.spentMinor / scale(sum)) * room)))}`;
  });
}

function sumJson({ group, currency, rehearsal, movies, ...amounts }: SpendSum) {
  return {
    ...{ group, currency, rehearsal, movies },
    posted_minor: amounts.postedMinor,
    refunded_minor: amounts.refundedMinor,
    corrected_minor: amounts.correctedMinor,
    spent_minor: amounts.spentMinor,
  };
}
