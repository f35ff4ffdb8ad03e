import { z } from 'zod';
import { batchStates } from '../../../domain/batch-state.js';
import { rowStates } from '../../../domain/row-state.js';
import type { BatchStatus } from '../../../operations/batches.js';
import { decisionJson } from '../../../reports/decision-json.js';
import { timeJson } from '../../../reports/time-json.js';
import { waitKinds } from '../../../reports/wording/wait-reason.js';
import { Amount, amountJson } from './amount.js';

const time = z.iso.datetime();

export const Decision = z.strictObject({
  kind: z.enum(['approved', 'rejected']),
  by: z.string(),
  at: time,
  self_approved: z.boolean(),
  reason: z.string().nullable(),
});

export const Stop = z.strictObject({
  kind: z.enum(['paused', 'tripped', 'canary', 'budget', 'credentials', 'restored']),
  since: time.nullable(),
  detail: z.string(),
  ends_by: z.string().meta({ description: 'The role that ends it' }),
  command: z.string(),
});

export const BatchMoney = z.strictObject({
  estimated: Amount.nullable().meta({ description: 'Null until every row has a price' }),
  approved: Amount,
  held: Amount,
  posted: Amount,
  refunded: Amount,
  returned: Amount,
  overrun: Amount,
  unknown: Amount.meta({ description: 'The part of held whose outcome is not known' }),
});

export const Batch = z.strictObject({
  batch: z.string(),
  campaign: z.string(),
  state: z.enum(batchStates),
  state_reason: z.string().nullable(),
  revision: z.int().meta({ description: 'Grows with every change' }),
  service: z.strictObject({ name: z.string(), base_url: z.string(), rehearsal: z.boolean() }),
  manifest: z.string(),
  budget: z.string(),
  plan_digest: z.string().nullable().meta({ description: 'Null until the plan is sealed' }),
  submitted_by: z.string(),
  submitted_at: time,
  expires_at: time.nullable().meta({ description: 'When an approval comes too late' }),
  settled_at: time.nullable(),
  decision: Decision.nullable(),
  rows: z.strictObject({
    in_sheet: z.int(),
    to_order: z.int(),
    by_state: z.partialRecord(z.enum(rowStates), z.int()).meta({ description: 'They sum to in_sheet' }),
  }),
  money: BatchMoney,
  max_in_flight: z.int().nullable().meta({ description: 'Null: the batch has no limit of its own' }),
  stops: z.array(Stop),
});

/** Why it does not go on, and who can act. */
export const Waiting = z.strictObject({
  reason: z.enum(waitKinds),
  rows: z.int().nullable().meta({ description: 'How many rows wait for it; null: all that are left' }),
  detail: z.string(),
  since: time.nullable(),
  until: time.nullable(),
  ends_by: z.string().nullable().meta({ description: 'Who can end it; null where anybody can, or it ends by itself' }),
  command: z.string().nullable().meta({ description: 'What that person types' }),
});

export const BatchDetail = Batch.extend({ waiting: z.array(Waiting) });

export const BatchList = z.strictObject({ data: z.array(Batch), next: z.string().nullable() });

export function batchJson({ batch, counts }: BatchStatus): z.output<typeof Batch> {
  const { decision } = batch;
  return {
    batch: batch.batchId,
    campaign: batch.campaign,
    state: batch.state,
    state_reason: batch.stateReason,
    revision: batch.revision,
    service: { name: batch.service.name, base_url: batch.service.baseUrl, rehearsal: batch.service.rehearsal },
    manifest: batch.manifestName,
    budget: batch.settings.budgetPath,
    plan_digest: batch.planDigest,
    submitted_by: batch.submittedBy,
    submitted_at: timeJson(batch.submittedAtMs),
    expires_at: timeJson(batch.expiresAtMs),
    settled_at: timeJson(batch.settledAtMs),
    decision: decision && decisionJson(decision),
    rows: { in_sheet: batch.rowsInSheet, to_order: batch.rowsToOrder, by_state: counts },
    money: moneyJson(batch),
    max_in_flight: batch.maxInFlight,
    stops: batch.stops.map(({ kind, sinceMs, detail, endsBy, command }) => ({
      ...{ kind, detail, command, ends_by: endsBy, since: sinceMs > 0 ? timeJson(sinceMs) : null },
    })),
  };
}

function moneyJson({ money, totalMinor }: BatchStatus['batch']): z.output<typeof BatchMoney> {
  const amount = (amountMinor: number) => amountJson({ amountMinor, currency: money.currency });
  return {
    estimated: totalMinor === null ? null : amount(totalMinor),
    approved: amount(money.approved),
    held: amount(money.held),
    posted: amount(money.posted),
    refunded: amount(money.refunded),
    returned: amount(money.returned),
    overrun: amount(money.overrun),
    unknown: amount(money.unknown),
  };
}
