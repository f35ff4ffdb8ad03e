import { createHash } from 'node:crypto';
import {
  type AnswerRule,
  type FaultRule,
  FaultScript,
  isMovieRule,
  type MovieQuirk,
  type OperationName,
  type ParsedFaultScript,
} from './script.js';

/** What a rule looks at. */
export interface Subject {
  readonly operation: OperationName;
  readonly keyHash: string | null;
  readonly idempotencyKey: string | null;
  readonly movieId: string | null;
  readonly prompt: string | null;
}

export interface Faults {
  /** @throws ZodError when the script is invalid. */
  set(script: FaultScript): void;
  /** Whether any rule may apply to the operation; for the others nothing need be looked up. */
  concerns(operation: OperationName): boolean;
  /** The rules that fire for this request; each call counts as one request. */
  answerRules(subject: Subject): readonly AnswerRule[];
  /** The quirks of the movie about to be created; each call counts as one creation. */
  quirksFor(subject: Subject): readonly MovieQuirk[];
}

/** Effects that make sense on these operations only, unless the rule says otherwise. */
const defaultOperations: Partial<Record<FaultRule['effect'], readonly OperationName[]>> = {
  word: ['getMovie'],
  regress: ['getMovie'],
  echo: ['createMovie', 'getMovie', 'cancelMovie'],
  no_assets: ['listAssets'],
  late_assets: ['listAssets'],
  expired_urls: ['listAssets'],
};

export function createFaults(initial: FaultScript): Faults {
  let script: ParsedFaultScript = FaultScript.parse(initial);
  let counts = new Map<string, number>();

  function fires(rule: FaultRule, subject: Subject): boolean {
    if (!matches(rule, subject)) return false;
    const index = script.rules.indexOf(rule);
    const scope = `${index} ${rule.each === 'movie' ? scopeOf(subject) : ''}`;
    const call = (counts.get(scope) ?? 0) + 1;
    counts.set(scope, call);
    return isCalled(rule.calls, call) && chance(`${script.seed} ${scope} ${call}`) < (rule.probability ?? 1);
  }

  return {
    set(next) {
      script = FaultScript.parse(next);
      counts = new Map();
    },
    concerns: (operation) => script.rules.some((rule) => !isMovieRule(rule) && operates(rule, operation)),
    answerRules: (subject) =>
      script.rules.filter((rule): rule is AnswerRule => !isMovieRule(rule) && fires(rule, subject)),
    quirksFor: (subject) =>
      script.rules.flatMap((rule) => {
        if (!isMovieRule(rule) || !fires(rule, subject)) return [];
        const {
          operation: _,
          calls: _c,
          each: _e,
          key: _k,
          prompt: _p,
          idempotencyKey: _i,
          probability: _r,
          ...quirk
        } = rule;
        return [quirk];
      }),
  };
}

function matches(rule: FaultRule, subject: Subject): boolean {
  if (!isMovieRule(rule) && !operates(rule, subject.operation)) return false;
  if (rule.key !== undefined && rule.key !== subject.keyHash) return false;
  return isFound(rule.prompt, subject.prompt) && isFound(rule.idempotencyKey, subject.idempotencyKey);
}

function operates(rule: AnswerRule, operation: OperationName): boolean {
  const named = rule.operation ?? defaultOperations[rule.effect];
  return named === undefined || (typeof named === 'string' ? named === operation : named.includes(operation));
}

function isFound(pattern: string | undefined, text: string | null): boolean {
  return pattern === undefined || (text !== null && new RegExp(pattern, 'u').test(text));
}

function scopeOf({ movieId, idempotencyKey, prompt }: Subject): string {
  return movieId ?? idempotencyKey ?? prompt ?? '';
}

function isCalled(calls: FaultRule['calls'], call: number): boolean {
  if (calls === undefined) return true;
  if (typeof calls === 'number') return calls === call;
  if ('from' in calls) {
    const { from, to = Number.POSITIVE_INFINITY, every } = calls;
    return call >= from && call <= to && (call - from) % every === 0;
  }
  return calls.includes(call);
}

/** In [0, 1), the same for the same text: a script misbehaves the same way each time it runs. */
function chance(words: string): number {
  return createHash('sha256').update(words).digest().readUInt32BE() / 2 ** 32;
}
