import { formatMoney, parseMoney } from '../../domain/money.js';
import type { BatchView } from '../../ledger/batches/batches.js';
import { type BatchLook, readBatch } from '../../operations/batches.js';
import { approve, type Decided } from '../../operations/decisions.js';
import { whoApproves } from '../../operations/people.js';
import { submittedWords } from '../../reports/wording/batch-words.js';
import { nextApprovalWords } from '../../reports/wording/decision-words.js';
import { formatDuration } from '../../reports/wording/duration-text.js';
import { shortOfBudget } from '../../reports/wording/plan-words.js';
import type { Session } from '../session/session.js';
import { ask, canAsk } from '../terminal/ask.js';
import type { CliContext } from '../terminal/context.js';
import { CliError, exitCodes } from '../terminal/exit-codes.js';
import { say } from '../terminal/print.js';
import { storedPlan } from '../views/load-plan.js';
import { type PlanScreen, planLines } from '../views/plan-view.js';

export interface DecideOptions {
  /** The price is accepted as it is. */
  readonly yes: boolean;
  /** The plan that a person read before. */
  readonly digest?: string | undefined;
}

/**
 * Shows a sealed plan with its price, has it accepted, and approves it. An answer that is not the amount is a no.
 *
 * @throws CliError (3) when nobody can be asked, or says no; LedgerError when the ledger refuses.
 */
export async function decide(
  context: CliContext,
  { deps, ...session }: Session,
  batchId: string,
  { yes, digest }: DecideOptions,
): Promise<Decided> {
  const look = { batchId, actor: await session.actor() };
  const { batch } = await readBatch(deps, look);
  const plan = await storedPlan(deps, look);
  if (batch.state === 'waiting') say(context, `from ${submittedWords(batch)}, ${ageOf(batch, deps.clock())}`);
  // Before it is priced there is no plan to look at, and no amount is zero.
  if (batch.state !== 'preparing') for (const line of planLines(plan)) say(context, line);
  const settled = yes || batch.state !== 'waiting'; // the ledger answers for what is not to be decided now
  if (!settled) requireRoom(batch, plan);
  if (!settled) await requireApprover(deps, look, batch);
  const typedAmountMinor = settled ? undefined : await typedAmount(context, batch);
  return approve(deps, {
    batchId,
    actor: await session.actor(),
    // What was shown is what is approved, also when the plan changes while somebody thinks.
    ...(digest === undefined ? planOf(batch) : { digest: digest.replaceAll(' ', '') }),
    ...(typedAmountMinor !== undefined && { typedAmountMinor }),
  });
}

function ageOf({ submittedAtMs }: BatchView, nowMs: number): string {
  return `${formatDuration(nowMs - submittedAtMs)} ago`;
}

function planOf({ planDigest }: BatchView): { readonly digest?: string } {
  return planDigest === null ? {} : { digest: planDigest };
}

/** Nobody is asked for an amount that the budget refuses anyway. */
function requireRoom({ batchId, totalMinor }: BatchView, { levels }: PlanScreen): void {
  const short = shortOfBudget(levels, totalMinor ?? 0);
  if (short === null) return;
  throw new CliError(
    `Cannot approve ${batchId}: ${short}; raise the limit by greenlight budget set, or order less`,
    exitCodes.stopped,
  );
}

/** Nor is somebody asked whose yes would not count: they are told whose does. */
async function requireApprover(deps: Session['deps'], { actor }: BatchLook, batch: BatchView): Promise<void> {
  const deciders = await whoApproves(deps, { submittedBy: batch.submittedBy, actor });
  if (deciders.isActor) return;
  const why = `${actor.name} may not approve it`;
  throw new CliError(
    `Nothing is ordered: ${why}. ${batch.batchId} waits. ${nextApprovalWords(batch, deciders)}`,
    exitCodes.stopped,
  );
}

async function typedAmount(context: CliContext, batch: BatchView): Promise<number> {
  const { batchId, rowsToOrder, totalMinor, money } = batch;
  const price = formatMoney({ amountMinor: totalMinor ?? 0, currency: money.currency });
  if (!canAsk(context)) {
    throw new CliError(
      `Cannot order ${rowsToOrder} movies for ${price}: no terminal to confirm on; greenlight approve ${batchId} --yes accepts the price`,
      exitCodes.stopped,
    );
  }
  const movies = rowsToOrder === 1 ? '1 movie' : `${rowsToOrder} movies`;
  const answer = await ask(context, `Order ${movies} for ${price}? Type the amount to confirm (Enter to abort): `);
  if (answer === '') {
    throw new CliError(
      `Nothing is ordered. ${batchId} waits for a decision: greenlight approve ${batchId}`,
      exitCodes.stopped,
    );
  }
  const typed = parseMoney(answer) ?? parseMoney(`${answer} ${money.currency}`);
  if (!typed || typed.currency !== money.currency || typed.amountMinor !== totalMinor) {
    throw new CliError(
      `Nothing is ordered: "${answer}" is not ${price}. ${batchId} waits: greenlight approve ${batchId}`,
      exitCodes.stopped,
    );
  }
  return typed.amountMinor;
}
