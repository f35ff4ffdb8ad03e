import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { levelsOf } from '../../domain/budget-room.js';
import { type Money, moneyProblem, parseMoney } from '../../domain/money.js';
import { listBatches } from '../../operations/batches.js';
import { listBudgets, setBudget, showBudget, startBudget, stopBudget } from '../../operations/money/budgets.js';
import { homeOption, type Session, withSession } from '../session/session.js';
import type { CliContext } from '../terminal/context.js';
import { printJson, printLine, say, sayNext } from '../terminal/print.js';
import { billingLines } from '../views/billing-lines.js';
import { budgetJson, budgetLines, printBudget } from '../views/budget-view.js';

/** `greenlight budget`: limits of money, by path. */
export function addBudgetCommand(program: Command, context: CliContext): void {
  const budget = program
    .command('budget')
    .description('Manage budgets. A plan is approved only if its total fits every level of its path')
    .addHelpText(
      'after',
      '\nExample:\n  greenlight budget set acme/emea 5000USD\n  greenlight budget stop acme/emea --reason "over forecast"',
    );
  addReads(budget, context);
  addSet(budget, context);
  addStops(budget, context);
}

function addReads(budget: Command, context: CliContext): void {
  budget
    .command('list')
    .description('List all levels and what is available')
    .option('--json', 'output JSON')
    .addOption(homeOption())
    .addHelpText('after', '\nExample:\n  greenlight budget list')
    .action((flags) =>
      withSession(context, flags, async ({ deps, actor }) => {
        const levels = await listBudgets(deps, { actor: await actor() });
        if (flags.json) return printJson(context, levels.map(budgetJson));
        if (levels.length === 0) return say(context, 'No budget is defined; greenlight budget set <path> <limit>');
        for (const line of budgetLines(levels)) printLine(context, line);
        for (const line of await billingLines(deps, levels)) printLine(context, line);
        sayNext(context, 'greenlight spend, or greenlight budget set <path> <limit>');
      }),
    );
  budget
    .command('show')
    .description('Show one level')
    .argument('<path>', 'budget path, e.g. acme/emea')
    .option('--json', 'output JSON')
    .addOption(homeOption())
    .addHelpText('after', '\nExample:\n  greenlight budget show acme/emea')
    .action((path, flags) =>
      withSession(context, flags, async (session) => {
        const { deps } = session;
        const levels = await showBudget(deps, { path, actor: await session.actor() });
        printBudget(context, levels, { ...flags, service: deps.service });
        if (flags.json) return;
        for (const line of await billingLines(deps, levels)) printLine(context, line);
        sayNext(context, await nextOfLimit(session, path));
      }),
    );
}

function addSet(budget: Command, context: CliContext): void {
  budget
    .command('set')
    .description('Define a level or change its limit; a lower limit cancels nothing')
    .argument('<path>', 'budget path, e.g. acme/emea')
    .argument('<limit>', 'amount and currency, e.g. 500USD', parseLimit)
    .option('--notify <percent>', 'mark the level and record it once this share of the limit is used', parsePercent)
    .option('--rehearsal', 'limit for rehearsals (default with the built-in studio)')
    .addOption(new Option('--real', 'limit for real money (default with MOVIE_API_URL)').conflicts('rehearsal'))
    .option('--json', 'output JSON')
    .addOption(homeOption())
    .addHelpText('after', '\nExample:\n  greenlight budget set acme/emea 5000USD --notify 80')
    .action((path, limit, flags) =>
      withSession(
        context,
        flags,
        async (session) => {
          const actor = await session.actor();
          const notify = flags.notify === undefined ? {} : { notifyPercent: flags.notify };
          const { amountMinor: limitMinor, currency } = limit;
          const { deps } = session;
          const rehearsal = flags.rehearsal ?? (flags.real ? false : undefined);
          const level = await setBudget(deps, { path, rehearsal, limitMinor, currency, actor, ...notify });
          printBudget(context, [level], { ...flags, service: deps.service });
          if (!flags.json) sayNext(context, await nextOfLimit(session, path));
        },
        { home: 'create' },
      ),
    );
}

/** A limit may be raised for a plan that waits. */
async function nextOfLimit({ deps, actor }: Session, path: string): Promise<string> {
  const waiting = await listBatches(deps, { actor: await actor(), states: ['waiting'], limit: looked });
  const under = waiting.find(({ batch }) => levelsOf(batch.settings.budgetPath).includes(path));
  return under ? `greenlight status ${under.batch.batchId}` : `greenlight submit <manifest> --budget ${path}`;
}

const looked = 20;

function addStops(budget: Command, context: CliContext): void {
  for (const [name, does, act, next] of [
    ['stop', 'Stop placing new orders under a path; movies in progress go on', stopBudget, 'greenlight budget start'],
    ['start', 'Allow orders under a path again', startBudget, 'greenlight budget show'],
  ] as const) {
    budget
      .command(name)
      .description(does)
      .argument('<path>', 'budget path, e.g. acme/emea')
      .option('--reason <words>', 'reason, kept in the audit log')
      .option('--json', 'output JSON')
      .addOption(homeOption())
      .addHelpText('after', `\nExample:\n  greenlight budget ${name} acme/emea --reason "forecast"`)
      .action((path, flags) =>
        withSession(context, flags, async (session) => {
          const actor = await session.actor();
          const { deps } = session;
          const { levels } = await act(deps, {
            path,
            actor,
            ...(flags.reason !== undefined && { reason: flags.reason }),
          });
          printBudget(context, levels, { ...flags, service: deps.service });
          if (!flags.json) sayNext(context, `${next} ${path}`);
        }),
      );
  }
}

function parseLimit(text: string): Money {
  const money = parseMoney(text);
  if (!money) throw new InvalidArgumentError(moneyProblem(text) ?? '');
  return money;
}

function parsePercent(text: string): number {
  if (!/^\d{1,3}$/.test(text) || Number(text) < 1 || Number(text) > 100) {
    throw new InvalidArgumentError('It must be a whole number from 1 to 100.');
  }
  return Number(text);
}
