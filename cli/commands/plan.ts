import type { Command } from '@commander-js/extra-typings';
import type { MovieApi } from '../../api/movie-api.js';
import { formatMoney, type Money } from '../../domain/money.js';
import type { Config } from '../../home/config.js';
import { type Embedded, joinEmbedded } from '../../home/embedded.js';
import { type Installation, openInstallation } from '../../home/installation.js';
import { type Plan, plan } from '../../operations/plan.js';
import { billingAssumed, type NamedRow, namedClasses } from '../../operations/stored-plan.js';
import { filmsSoFar } from '../../reports/wording/next-steps.js';
import { type PlanSummary, summarisePlan } from '../../reports/wording/plan-summary.js';
import { printable } from '../../reports/wording/printable.js';
import { type ManifestFlags, manifestCommand } from '../manifest/manifest-flags.js';
import { type OpenedManifest, openManifestOf } from '../manifest/manifest-input.js';
import { configOf, homeOption, type Session, sessionOf } from '../session/session.js';
import type { CliContext } from '../terminal/context.js';
import { CliError, exitCodes } from '../terminal/exit-codes.js';
import { type Leaving, onShutdown } from '../terminal/graceful-stop.js';
import { printJson, printLine, say } from '../terminal/print.js';
import { planLines } from '../views/plan-view.js';

interface PlanFlags extends ManifestFlags {
  readonly json?: true | undefined;
  readonly home?: string | undefined;
}

/** `greenlight plan`: what would be ordered and what it costs. */
export function addPlanCommand(program: Command, context: CliContext): void {
  manifestCommand(program, 'plan')
    .description('Price a manifest: uploads the references that need it, stores and orders nothing')
    .option('--json', 'output JSON with every row')
    .addOption(homeOption())
    .addHelpText('after', '\nExample:\n  greenlight plan manifests/examples/spring-launch.csv')
    .action(async (path, flags) => {
      const leaving = onShutdown(context, 'Stopped. Nothing was ordered');
      leaving.onFirst(() => 'Stopping. Nothing was ordered. Press Ctrl-C again to exit immediately.');
      try {
        await Promise.race([planManifest(context, { path, flags, leaving }), leaving.atOnce]);
      } finally {
        leaving.end();
      }
    });
}

interface Planning {
  readonly path: string;
  readonly flags: PlanFlags;
  readonly leaving: Leaving;
}

async function planManifest(context: CliContext, { path, flags, leaving }: Planning): Promise<void> {
  const config = await configOf(context, flags);
  const opened = await openManifestOf(context, { path, flags, config });
  try {
    const installation = await openInstallation(config);
    const pricing = pricingService(context, installation);
    try {
      const { api } = pricing;
      await planAndPrint(context, { session: sessionOf(installation, context), path, opened, flags, leaving, api });
    } finally {
      await installation.close();
      await pricing.leave();
    }
  } finally {
    await opened.close();
  }
}

/** The movie service, and with it the home's studio, once a row is priced: without one nothing is started. */
function pricingService(context: CliContext, installation: Installation) {
  let joined: Promise<Embedded> | undefined;
  let opened: Promise<MovieApi> | undefined;
  return {
    api: () => {
      opened ??= (async () => {
        joined = joinEmbedded(installation.config, {
          ...{ ...context, say: (line) => say(context, line) },
          parts: ['studio'],
        });
        await joined;
        return installation.movieApi();
      })();
      return opened;
    },
    async leave() {
      await (await joined?.catch(() => undefined))?.leave();
    },
  };
}

interface PlanAndPrint {
  readonly api: () => Promise<MovieApi>;
  readonly session: Session;
  readonly path: string;
  readonly opened: OpenedManifest;
  readonly flags: PlanFlags;
  readonly leaving: Leaving;
}

async function planAndPrint(
  context: CliContext,
  { session, path, opened, flags, leaving, api }: PlanAndPrint,
): Promise<void> {
  const { deps } = session;
  const { manifest, remoteFiles } = opened;
  const planned = await plan(deps, {
    ...{ manifest, remoteFiles, actor: await session.actor(), api },
    signal: leaving.signal,
    ...(flags.budget?.kind === 'limit' && { limit: flags.budget.limit }),
    onBegin: ({ rowsToPrice, filesToUpload }) => {
      const files = filesToUpload === 1 ? '1 file' : `${filesToUpload} files`;
      const uploads = filesToUpload === 0 ? '' : `; uploads ${files} to ${deps.service.name} for that`;
      say(context, `${manifest.name}: ${manifest.rowCount} rows, pricing ${rowsToPrice}${uploads}`);
    },
  });
  const summary = summarisePlan(planned.rows.map((row) => ({ ...row, rows: 1, amountMinor: row.amountMinor ?? 0 })));
  if (flags.json) printJson(context, planJson(planned));
  else for (const line of await screenOf(planned, summary, session)) printLine(context, line);
  const unpriced = planned.rows.filter(({ problem }) => problem !== null);
  if (unpriced.length > 0) {
    throw new CliError(`Cannot plan ${manifest.name}: ${unpricedWords(unpriced)}; run plan again`, exitCodes.stopped);
  }
  if (flags.json) return;
  if (summary.rowsToOrder > 0)
    say(context, nextAfterPlan(path, { flags, planned, config: session.installation.config }));
  else if (planned.rows.some((row) => row.class === 'unchanged')) say(context, filmsSoFar(planned.campaign));
}

interface AfterPlan {
  readonly flags: PlanFlags;
  readonly planned: Pick<Plan, 'levels'>;
  readonly config: Config;
}

/** What orders it: on this machine, or by the workers of a fleet. The flags that decide on the plan are repeated. */
function nextAfterPlan(path: string, { flags, planned, config }: AfterPlan): string {
  const { budget, campaign, respend, include, allowDuplicates } = flags;
  // Without a budget the very next command would be refused.
  const limit = planned.levels.length === 0 ? ['--budget', '<limit>'] : [];
  const command = [
    ...[
      'greenlight',
      config.temporal === null ? 'run' : 'submit',
      /^[\w./-]+$/.test(path) ? path : JSON.stringify(path),
    ],
    ...(campaign === undefined ? [] : ['--campaign', campaign]),
    ...(budget === undefined ? limit : ['--budget', budget.kind === 'path' ? budget.path : plainMoney(budget.limit)]),
    ...(include === undefined ? [] : ['--include', include.join(',')]),
    ...(respend ? ['--respend'] : []),
    ...(allowDuplicates ? ['--allow-duplicates'] : []),
  ];
  return `Next: ${command.join(' ')}`;
}

/** As `--budget` takes it: `1500.00USD`. */
function plainMoney(money: Money): string {
  return formatMoney(money).replace(/[, ]/g, '');
}

const namedRows = 5;

/** As `2 rows unpriced (ep-03, ep-09: …)`. */
function unpricedWords(rows: Plan['rows']): string {
  const shown = rows.slice(0, namedRows);
  const problems = new Set(shown.map(({ problem }) => printable(problem ?? '')));
  const names = shown.map(({ rowKey }) => rowKey).join(', ') + (rows.length > shown.length ? ' and more' : '');
  const why = problems.size === 1 ? `: ${[...problems].join('')}` : '';
  return `${rows.length} ${rows.length === 1 ? 'row' : 'rows'} unpriced (${names}${why})`;
}

async function screenOf(planned: Plan, summary: PlanSummary, { deps }: Session): Promise<readonly string[]> {
  const { campaign, planDigest, budgetPath, levels, currency, runtimeSeconds, credits, assumptions } = planned;
  return planLines({
    removed: planned.removed.map(({ rowKey }) => rowKey),
    named: namedOf(planned),
    ...{ name: campaign, planDigest, budgetPath, levels, currency, runtimeSeconds, credits, assumptions, summary },
    ...{ rehearsal: deps.service.rehearsal, billing: await billingAssumed(deps) },
  });
}

const namedPerClass = 6;

function namedOf({ rows }: Plan): readonly NamedRow[] {
  return namedClasses.flatMap((rowClass) =>
    rows
      .filter((row) => row.class === rowClass)
      .slice(0, namedPerClass)
      .map(({ ordered, rowKey, amountMinor }) => ({
        ...{ class: rowClass, ordered, rowKey, amountMinor: ordered ? amountMinor : null, beforeMinor: null },
      })),
  );
}

function planJson(planned: Plan) {
  return {
    campaign: planned.campaign,
    // A plan that is not stored has no number.
    batch: null,
    digest: planned.planDigest,
    budget: planned.budgetPath,
    currency: planned.currency,
    total_minor: planned.totalMinor,
    credits: planned.credits,
    runtime_seconds: planned.runtimeSeconds,
    assumptions: planned.assumptions,
    rows: [...planned.rows.map(rowJson), ...planned.removed.map(removedJson)],
  };
}

function rowJson(row: Plan['rows'][number]) {
  return {
    id: row.rowKey,
    class: row.class,
    ordered: row.ordered,
    digest: row.contentDigest,
    amount_minor: row.amountMinor,
    credits: row.credits,
    changed: row.classDetail?.changed ?? [],
    problem: row.problem,
  };
}

/** Behind the rows of the sheet: what the campaign has beside them, where it is and how it stands. */
function removedJson({ rowKey, batchId, state }: Plan['removed'][number]) {
  const none = { digest: null, amount_minor: null, credits: null, changed: [], problem: null };
  return { id: rowKey, class: 'removed', ordered: false, ...none, batch: batchId, state };
}
