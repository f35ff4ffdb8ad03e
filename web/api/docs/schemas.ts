import { z } from 'zod';
import { Problem } from '../problem.js';
import * as acts from '../schemas/acts.js';
import { Amount } from '../schemas/amount.js';
import * as batch from '../schemas/batch.js';
import * as plan from '../schemas/plan.js';
import * as row from '../schemas/row.js';

/** A JSON Schema of the 2020-12 draft, as OpenAPI 3.1 has them. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

/** Schemas with a name of their own, wherever they occur. */
const named: ReadonlyMap<z.ZodType, string> = new Map(
  Object.entries<z.ZodType>({
    Amount,
    Problem,
    Approval: acts.Approval,
    Rejection: acts.Rejection,
    Decided: acts.Decided,
    StopRequest: acts.StopRequest,
    Told: acts.Told,
    CancelRequest: acts.CancelRequest,
    CancelQuestion: acts.CancelQuestion,
    Canceled: acts.Canceled,
    RetryRequest: acts.RetryRequest,
    Retried: acts.Retried,
    CancelPreview: acts.CancelPreview,
    Finding: acts.Finding,
    Submission: acts.Submission,
    Whoami: acts.Whoami,
    Decision: batch.Decision,
    Stop: batch.Stop,
    BatchMoney: batch.BatchMoney,
    Batch: batch.Batch,
    Waiting: batch.Waiting,
    BatchDetail: batch.BatchDetail,
    BatchList: batch.BatchList,
    PlanClass: plan.PlanClass,
    PlanLevel: plan.PlanLevel,
    Plan: plan.Plan,
    ArchivedFile: row.ArchivedFile,
    Row: row.Row,
    RowList: row.RowList,
    Result: row.Result,
    ResultList: row.ResultList,
  }).map(([name, schema]) => [schema, name]),
);

const requests: readonly z.ZodType[] = [
  ...[acts.Approval, acts.Rejection, acts.StopRequest, acts.CancelRequest, acts.CancelQuestion, acts.RetryRequest],
];

export function components(): Readonly<Record<string, Schema>> {
  return { ...componentsOf('input'), ...componentsOf('output') };
}

/** The schema, by its name where it has one. */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output' = 'input'): Schema {
  const name = named.get(schema);
  return name === undefined
    ? cleaned(z.toJSONSchema(schema, { io, override }))
    : { $ref: `#/components/schemas/${name}` };
}

function componentsOf(io: 'input' | 'output'): Record<string, Schema> {
  const registry = z.registry<{ id: string }>();
  for (const [schema, id] of named) if (requests.includes(schema) === (io === 'input')) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io, override, uri: (id) => `#/components/schemas/${id}` });
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, cleaned(schema)]));
}

function override({ jsonSchema }: { readonly jsonSchema: Record<string, unknown> }): void {
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern; // says the same at length
  for (const bound of ['minimum', 'maximum'] as const) {
    if (Math.abs(Number(jsonSchema[bound])) === Number.MAX_SAFE_INTEGER) delete jsonSchema[bound]; // no limit of ours
  }
}

function cleaned({ $schema: _, $id: _id, ...schema }: Record<string, unknown>): Schema {
  return schema;
}
