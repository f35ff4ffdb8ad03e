import { Hono } from 'hono';
import { levelsOf } from '../../domain/budget-room.js';
import { formatAmount, moneyProblem, parseMoney } from '../../domain/money.js';
import { mayAct } from '../../domain/roles.js';
import { listBatches } from '../../operations/batches.js';
import { previewLimit, showBudgetPage } from '../../operations/money/budget-page.js';
import { type BudgetRecord, listBudgets, setBudget, startBudget, stopBudget } from '../../operations/money/budgets.js';
import { spendByDay } from '../../operations/money/spend.js';
import { daysCsv } from '../../reports/budget-days.js';
import { spendCsv, spendGroups, sumSpend } from '../../reports/spend.js';
import type { DeskDeps } from '../desk-deps.js';
import { actorOf, type DeskContext, type DeskEnv, seeOther } from '../desk-env.js';
import { refuse } from '../errors/refuse.js';
import { csv } from '../parts/csv.js';
import { frameOf } from '../parts/frame.js';
import { BudgetPage } from './budget-page.js';
import { BudgetsPage } from './budgets-page.js';
import { LimitPage, StopPage } from './change-pages.js';
import { budgetOf, budgetPath } from './place.js';
import { SpendPage } from './spend-page.js';

/** Budgets and where money went. What changes something is shown with its effect first. */
export function budgetRoutes(deps: DeskDeps): Hono<DeskEnv> {
  const routes = new Hono<DeskEnv>();
  routes.get('/budgets', async (c) => {
    const levels = await listBudgets(deps, { actor: actorOf(c) });
    return c.html(<BudgetsPage frame={frameOf(c)} levels={levels} />);
  });
  routes.get('/budgets/level', async (c) => {
    const facts = await showBudgetPage(deps, lookOf(c));
    return c.html(<BudgetPage frame={frameOf(c)} facts={facts} mayChange={mayAct(actorOf(c), 'budget')} />);
  });
  routes.get('/budgets/days.csv', async (c) => {
    const { level, flow } = await showBudgetPage(deps, lookOf(c));
    return csv(c, { name: `budget-${level.path.replaceAll('/', '-')}`, text: daysCsv(flow, level.currency) });
  });
  routes.get('/budgets/limit', (c) => limitPage(deps, c));
  routes.post('/budgets/limit', (c) => changeLimit(deps, c));
  for (const act of ['stop', 'start'] as const) {
    routes.get(`/budgets/${act}`, async (c) => {
      const { level } = await showBudgetPage(deps, lookOf(c));
      const making = await listBatches(deps, { actor: actorOf(c), states: ['making'], limit: 1_000 });
      const under = making.filter(({ batch }) => levelsOf(batch.settings.budgetPath).includes(level.path));
      return c.html(<StopPage {...{ frame: frameOf(c), level, act, making: under.length }} />);
    });
    routes.post(`/budgets/${act}`, async (c) => {
      const { path = '', reason = '' } = c.get('form');
      const deed = { path, actor: actorOf(c), ...(reason !== '' && { reason }) };
      const { levels } = await (act === 'stop' ? stopBudget : startBudget)(deps, deed);
      return seeOther(c, levels[0] ? budgetPath('/budgets/level', levels[0]) : '/budgets');
    });
  }
  routes.get('/spend', async (c) => {
    const by = groupOf(c);
    const sums = sumSpend(await spendByDay(deps, { actor: actorOf(c) }), by);
    return c.html(<SpendPage frame={frameOf(c)} by={by} sums={sums} />);
  });
  routes.get('/spend.csv', async (c) => {
    const by = groupOf(c);
    const text = spendCsv(sumSpend(await spendByDay(deps, { actor: actorOf(c) }), by), by);
    return csv(c, { name: `spend-by-${by}`, text });
  });
  return routes;
}

function lookOf(c: DeskContext) {
  return { ...budgetOf(c.req.query()), actor: actorOf(c) };
}

function groupOf(c: DeskContext) {
  return spendGroups.find((group) => group === c.req.query('by')) ?? 'campaign';
}

async function limitPage(deps: DeskDeps, c: DeskContext): Promise<Response> {
  const look = lookOf(c);
  const { level } = await showBudgetPage(deps, look);
  const { currency } = level;
  const given = c.req.query('limit');
  const text = `${given ?? ''} ${currency}`;
  const limitMinor = given === undefined ? undefined : parseMoney(text)?.amountMinor;
  const preview =
    limitMinor === undefined ? null : { ...(await previewLimit(deps, { ...look, limitMinor })), limitMinor };
  const typed = given ?? formatAmount({ amountMinor: level.limitMinor, currency });
  const problem = given === undefined ? null : moneyProblem(text);
  return c.html(<LimitPage {...{ frame: frameOf(c), level, typed, problem, preview }} />);
}

async function changeLimit(deps: DeskDeps, c: DeskContext): Promise<Response> {
  const form = c.get('form');
  const look = { ...budgetOf(form), actor: actorOf(c) };
  const { level } = await showBudgetPage(deps, look);
  const money = parseMoney(`${form.limit ?? ''} ${level.currency}`);
  if (!money || form.before !== String(level.limitMinor)) return changedMeanwhile(c, level);
  await setBudget(deps, { ...look, limitMinor: money.amountMinor, currency: level.currency });
  return seeOther(c, budgetPath('/budgets/level', level));
}

/** Whoever set it did not know of another one's change. */
function changedMeanwhile(c: DeskContext, level: BudgetRecord): Response | Promise<Response> {
  return refuse(c, {
    ...{ status: 409, title: 'The limit has changed in the meantime' },
    message: `Nothing was changed. The limit of ${level.path} is ${formatAmount({ amountMinor: level.limitMinor, currency: level.currency })} ${level.currency}; look at what your change does to that.`,
    next: { path: budgetPath('/budgets/limit', level), text: 'Look again' },
  });
}
