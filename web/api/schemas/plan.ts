import { z } from 'zod';
import { roomMinor } from '../../../domain/budget-room.js';
import { rowClasses } from '../../../domain/row-class.js';
import type { Deciders } from '../../../operations/people.js';
import type { StoredPlan } from '../../../operations/stored-plan.js';
import { decisionJson } from '../../../reports/decision-json.js';
import { timeJson } from '../../../reports/time-json.js';
import { Amount, amountJson } from './amount.js';
import { Decision } from './batch.js';

export const PlanClass = z.strictObject({
  class: z.enum(rowClasses),
  ordered: z.boolean(),
  rows: z.int(),
  priced: z.int().meta({ description: 'How many of the rows have a price by now' }),
  amount: Amount.meta({ description: 'Of the rows that have a price' }),
  of: z.string().nullable().meta({ description: 'The batch that the class speaks of' }),
});

export const PlanLevel = z.strictObject({
  path: z.string(),
  limit: Amount,
  committed: Amount,
  spent: Amount,
  overrun: Amount,
  room: Amount.meta({ description: 'What may still be approved; below zero after a limit was lowered' }),
  stopped: z.boolean(),
});

export const Plan = z.strictObject({
  batch: z.string(),
  digest: z.string().nullable().meta({ description: 'What an approval names; null until the plan is sealed' }),
  total: Amount.nullable().meta({ description: 'What an approval names; null until the plan is sealed' }),
  credits: z.number().nullable(),
  runtime_seconds: z.number().nullable(),
  budget: z.string(),
  levels: z.array(PlanLevel).meta({ description: 'Outermost first; they count the plan once it is approved' }),
  classes: z.array(PlanClass),
  assumptions: z.array(z.string()),
  expires_at: z.iso.datetime().nullable(),
  decision: Decision.nullable(),
  approvers: z.strictObject({
    you: z.boolean().meta({ description: 'By role and four eyes; whether the budget has room is another question' }),
    others: z.array(z.string()),
  }),
});

export function planJson({ batch, levels, sums }: StoredPlan, { isActor, others }: Deciders): z.output<typeof Plan> {
  const amount = (amountMinor: number) => amountJson({ amountMinor, currency: batch.money.currency });
  return {
    batch: batch.batchId,
    digest: batch.planDigest,
    total: batch.totalMinor === null ? null : amount(batch.totalMinor),
    credits: batch.credits,
    runtime_seconds: batch.runtimeSeconds,
    budget: batch.settings.budgetPath,
    levels: levels.map(levelJson),
    classes: sums.map((sum) => ({
      ...{ class: sum.class, ordered: sum.ordered, rows: sum.rows, priced: sum.priced },
      ...{ amount: amount(sum.amountMinor), of: sum.classDetail?.batchId ?? null },
    })),
    assumptions: [...batch.assumptions],
    expires_at: timeJson(batch.expiresAtMs),
    decision: batch.decision && decisionJson(batch.decision),
    approvers: { you: isActor, others: [...others] },
  };
}

function levelJson(level: StoredPlan['levels'][number]): z.output<typeof PlanLevel> {
  const amount = (amountMinor: number) => amountJson({ amountMinor, currency: level.currency });
  return {
    path: level.path,
    limit: amount(level.limitMinor),
    committed: amount(level.committedMinor),
    spent: amount(level.spentMinor),
    overrun: amount(level.overrunMinor),
    room: amount(roomMinor(level)),
    stopped: level.stoppedMs !== null,
  };
}
