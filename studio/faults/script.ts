import { z } from 'zod';
import { routes } from '../../api/contract.js';

/** What a rule can be bound to: the six operations, and the download of an asset's file. */
const operationNames = [...(Object.keys(routes) as (keyof typeof routes)[]), 'downloadAsset'] as const;
const OperationName = z.enum(operationNames);
export type OperationName = z.infer<typeof OperationName>;

const count = z.int().min(1);

/** Which of the matching requests: the nth, some, or a range with a step. */
const Calls = z.union([
  count,
  z.array(count).min(1),
  z.strictObject({ from: count.default(1), to: count.optional(), every: count.default(1) }),
]);

const pattern = z.string().refine(isPattern, { error: 'must be a regular expression' });

const match = {
  operation: z.union([OperationName, z.array(OperationName).min(1)]).optional(),
  calls: Calls.optional(),
  /** `calls` counts over all requests, or for each movie (a create: each idempotency key, else each prompt). */
  each: z.enum(['request', 'movie']).default('request'),
  /** The API key, by the short hash that the books show. */
  key: z.string().optional(),
  /** Regular expressions. */
  prompt: pattern.optional(),
  idempotencyKey: pattern.optional(),
  /** Share of the matching requests, drawn by the script's seed. */
  probability: z.number().min(0).max(1).optional(),
};

const WorkingStatus = z.enum(['queued', 'planning', 'generating', 'rendering']);

function rule<Effect extends string, Shape extends z.ZodRawShape>(effect: Effect, shape: Shape) {
  return z.strictObject({ effect: z.literal(effect), ...match, ...shape });
}

/** Whether the request is carried out before its answer is spoilt. */
const done = z.boolean().default(false);

const answerRules = [
  rule('reset_before', {}),
  rule('reset_after', {}),
  /** Without `seconds`, until the client gives up. */
  rule('stall', { done, seconds: z.number().min(0).optional() }),
  rule('status', {
    done,
    status: z.int().min(300).max(599),
    code: z.string().default('injected_fault'),
    message: z.string().default('Injected by a fault script'),
    /** Header `Retry-After`: in seconds, as an HTTP date that many seconds ahead, or missing. */
    retryAfter: z.union([z.int().min(0), z.string(), z.strictObject({ dateInSeconds: z.number() })]).optional(),
  }),
  rule('html', {
    done,
    status: z.union([z.literal(200), z.literal(502), z.literal(503), z.literal(504)]).default(502),
  }),
  rule('truncate', { keepBytes: z.int().min(0).optional() }),
  rule('garbage', { kind: z.enum(['not_json', 'wrong_types', 'empty', 'other_shape']).default('not_json') }),
  rule('word', { word: z.string().min(1).default('upscaling') }),
  rule('regress', { to: WorkingStatus.default('queued') }),
  rule('echo', { text: z.string().default('Another brief, by somebody else') }),
  rule('no_assets', {}),
  /** Without `seconds` after the end, each listing that matches is empty. */
  rule('late_assets', { seconds: z.number().min(0).optional() }),
  rule('expired_urls', {}),
] as const;

const movieRules = [
  rule('stuck', { at: WorkingStatus.default('rendering') }),
  rule('fail', {
    at: WorkingStatus.default('rendering'),
    code: z.string().default('generation_failed'),
    message: z.string().default('The movie could not be generated'),
  }),
  rule('wrong_movie', { wrong: z.enum(['ratio', 'length', 'black', 'silent', 'empty']) }),
  rule('ignore_cancel', {}),
  rule('webhook', { mode: z.enum(['none', 'twice', 'out_of_order', 'forged']) }),
] as const;

const FaultRule = z.discriminatedUnion('effect', [...answerRules, ...movieRules]);
export type FaultRule = z.infer<typeof FaultRule>;

/** How the studio misbehaves. The first rule that matches a request decides its answer. */
export const FaultScript = z.strictObject({ seed: z.int().default(0), rules: z.array(FaultRule).default([]) });
export type FaultScript = z.input<typeof FaultScript>;
export type ParsedFaultScript = z.output<typeof FaultScript>;

export type AnswerRule = z.infer<(typeof answerRules)[number]>;
export type MovieRule = z.infer<(typeof movieRules)[number]>;

/** An effect that stays with a movie for its whole life, without the match that chose it. */
export type MovieQuirk = MovieRule extends infer Rule
  ? Rule extends MovieRule
    ? Omit<Rule, keyof typeof match>
    : never
  : never;

const movieEffects: ReadonlySet<string> = new Set(movieRules.map((each) => each.shape.effect.value));

export function isMovieRule(rule: FaultRule): rule is MovieRule {
  return movieEffects.has(rule.effect);
}

function isPattern(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
}
