import { z } from 'zod';
import { roles } from '../../../domain/roles.js';
import { Amount } from './amount.js';
import { Batch, Decision } from './batch.js';

/** What becomes of an act that is recorded. */
const told = z
  .boolean()
  .meta({ description: 'False: recorded, and workers have not heard of it; they find it by themselves' });

const reason = z.string().trim().min(1).max(1_000);

export const Approval = z.strictObject({
  digest: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .meta({ description: '`digest` of the plan that was read' }),
  amount: z
    .strictObject({ amount_minor: z.int().min(0), currency: z.string().regex(/^[A-Z]{3}$/) })
    .meta({ description: '`total` of the plan that was read' }),
});

export const Rejection = z.strictObject({ reason });

export const Decided = z.strictObject({
  decision: Decision,
  repeated: z.boolean().meta({ description: 'It had been decided so before: this changed nothing' }),
  told,
});

export const StopRequest = z.strictObject({ reason: reason.optional() });

export const LimitsRequest = z.strictObject({
  max_in_flight: z
    .int()
    .min(1)
    .max(1_000_000)
    .nullable()
    .meta({ description: 'Movies of the batch in progress at most; null: no limit of its own' }),
  reason: reason.optional(),
});

export const Told = z.strictObject({ told });

const rows = z
  .union([z.literal('all'), z.array(z.string().min(1).max(300)).min(1).max(2_000)])
  .meta({ description: 'All rows, or those with these ids, at most 2,000' });

export const CancelRequest = z.strictObject({ rows, reason });
export const CancelQuestion = z.strictObject({ rows });

export const Canceled = z.strictObject({
  rows: z.int().meta({ description: 'How many were ended or marked; none the second time' }),
  told,
});

export const RetryRequest = z.strictObject({
  rows: z
    .union([z.enum(['all', 'redo']), z.array(z.string().min(1).max(300)).min(1).max(2_000)])
    .meta({ description: 'All that failed, were canceled or are lost; those that a review marked redo; or these ids' }),
});

export const Retried = z.strictObject({ batch: z.string().meta({ description: 'The new one' }), told });

const effect = z.strictObject({ rows: z.int(), amount: Amount });

export const CancelPreview = z.strictObject({
  not_spent: effect,
  may_still_leave: effect,
  may_be_charged: effect,
  paid_and_kept: effect,
  unknown: effect,
  ended: effect,
  charged: z.boolean().meta({ description: 'Whether the service is taken to charge for movies that are canceled' }),
});

export const Finding = z.strictObject({
  severity: z.enum(['error', 'warning', 'repair']),
  code: z.string(),
  row: z.int().nullable(),
  line: z.int().nullable(),
  column: z.string().nullable(),
  field: z.string().nullable(),
  message: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
});

export const Submission = z.strictObject({
  batch: Batch,
  attached: z.boolean().meta({ description: 'An open batch has exactly these rows: nothing was stored' }),
  findings: z.array(Finding).meta({ description: 'Warnings and repairs, at most 1,000 of them' }),
  findings_total: z.int(),
  told,
});

export const Whoami = z.strictObject({
  name: z.string(),
  roles: z.array(z.enum(roles)),
  token_expires_at: z.iso.datetime().nullable().meta({ description: 'Null: it does not end' }),
});
