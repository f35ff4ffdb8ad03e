import { formatMoney, parseMoney } from '../../domain/money.js';
import type { BatchView } from '../../ledger/batches/batches.js';
import { type BatchLook, readBatch } from '../../operations/batches.js';
import { approvalRefusal, approve, type Decided } from '../../operations/decisions.js';
import { submittedWords } from '../../reports/wording/batch-words.js';
import { formatDuration } from '../../reports/wording/duration-text.js';
import { nextApproval } from '../session/next-approval.js';
import type { Session } from '../session/session.js';
import { ask, canAsk } from '../terminal/ask.js';
import type { CliContext } from '../terminal/context.js';
import { CliError, exitCodes } from '../terminal/exit-codes.js';
import { say } from '../terminal/print.js';
import { storedPlan } from '../views/load-plan.js';
import { planLines } from '../views/plan-view.js';

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
  if (batch.state === 'waiting') {
    say(context, `from ${submittedWords(batch)}, ${ageOf(batch, deps.clock())}`);
    for (const line of planLines(await storedPlan(deps, look))) say(context, line);
  }
  const settled = yes || batch.state !== 'waiting'; // the ledger answers for what is not to be decided now
  if (!settled) await requireApprovable(deps, look, batch);
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

/** Nobody is asked for an amount whose yes would not count, or for which there is no money: they are told whose does. */
async function requireApprovable(deps: Session['deps'], look: BatchLook, batch: BatchView): Promise<void> {
  const refusal = await approvalRefusal(deps, look);
  if (refusal === null) return;
  if (refusal.code !== 'not_allowed') throw refusal;
  const { actor } = look;
  const next = await nextApproval(deps, batch, actor);
  throw new CliError(
    `Nothing is ordered: ${actor.name} may not approve it. ${batch.batchId} waits. ${next}`,
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
