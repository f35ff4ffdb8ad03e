import { Estimate, type MovieRequest } from '../api/contract.js';
import { bodyOf } from './answers.js';
import { createCalls } from './calls.js';
import { type Clause, type Exchange, NotTestable, type Section, Violation } from './clause.js';
import { assetClauses } from './clauses/assets.js';
import { authenticationClauses } from './clauses/authentication.js';
import { cancelClauses } from './clauses/cancel.js';
import { createClauses, furtherCreateClauses } from './clauses/create.js';
import { errorClauses } from './clauses/errors.js';
import { estimateClauses } from './clauses/estimate.js';
import { eventClauses } from './clauses/events.js';
import { findIdempotency, type IdempotencyFinding, idempotencyClauses, keyClauses } from './clauses/idempotency.js';
import { isolationClauses } from './clauses/isolation.js';
import { limitClauses } from './clauses/limits.js';
import { movieClauses } from './clauses/movies.js';
import { referenceClauses } from './clauses/references.js';
import type { Service } from './service.js';
import { createSession, type Session } from './session.js';

type Outcome =
  | { readonly result: 'passed' }
  | { readonly result: 'failed'; readonly problem: string; readonly exchange: Exchange | null }
  | { readonly result: 'not testable'; readonly reason: string };

export interface ClauseResult {
  readonly id: string;
  readonly section: Section;
  readonly says: string;
  readonly outcome: Outcome;
}

export interface ConformanceReport {
  readonly results: readonly ClauseResult[];
  readonly idempotency: IdempotencyFinding | null;
  readonly creates: { readonly announced: number; readonly sent: number; readonly accepted: readonly string[] };
  /** Whether the run was stopped before its last clause. */
  readonly interrupted: boolean;
  /** Movies that were made and could not be canceled. */
  readonly leftOver: readonly string[];
}

/** The clauses of one session, in the order to check them. */
export interface Suite {
  readonly session: Session;
  readonly clauses: readonly Clause[];
  check(clause: Clause): Promise<Outcome>;
  idempotency(): Promise<IdempotencyFinding>;
}

/** The creates that a run sends at most: those that a service should accept, and those that it should refuse. */
export function announcedCreates(): { readonly orders: readonly MovieRequest[]; readonly refusals: number } {
  const clauses = clausesOf(() => Promise.reject(new NotTestable('not asked')));
  return {
    orders: clauses.flatMap(({ orders = [] }) => orders),
    refusals: clauses.reduce((sum, { refusals = 0 }) => sum + refusals, 0),
  };
}

function maxCreates(): number {
  const { orders, refusals } = announcedCreates();
  return orders.length + refusals;
}

export function openSuite(service: Service, { patienceMs }: { readonly patienceMs: number }): Suite {
  const session = createSession(service, { maxCreates: maxCreates(), patienceMs });
  let finding: Promise<IdempotencyFinding> | undefined;
  const idempotency = () => {
    finding ??= findIdempotency(session);
    return finding;
  };
  return { session, idempotency, clauses: clausesOf(idempotency), check: (clause) => outcomeOf(clause, session) };
}

function clausesOf(idempotency: () => Promise<IdempotencyFinding>): readonly Clause[] {
  return [
    ...createClauses,
    ...idempotencyClauses(idempotency),
    ...estimateClauses,
    ...referenceClauses,
    ...furtherCreateClauses,
    ...movieClauses,
    ...cancelClauses,
    ...keyClauses,
    ...assetClauses,
    ...authenticationClauses,
    ...isolationClauses,
    ...limitClauses,
    ...eventClauses,
    // Last: it judges what the others met.
    ...errorClauses,
  ];
}

async function outcomeOf(clause: Clause, session: Session): Promise<Outcome> {
  try {
    await clause.check(session);
    return { result: 'passed' };
  } catch (error) {
    if (error instanceof NotTestable) return { result: 'not testable', reason: error.message };
    if (!(error instanceof Violation)) throw error;
    // Not the whole answer, which has signatures and headers that are nobody's business.
    const exchange = error.exchange && { sent: error.exchange.sent, received: error.exchange.received };
    return { result: 'failed', problem: error.message, exchange };
  }
}

export interface RunEstimate {
  /** The price of all movies that the service should make. */
  readonly amountMinor: number;
  readonly currency: string;
  /** Whether it is the studio, whose movies cost nothing. */
  readonly isStudio: boolean;
}

/**
 * Adds up what the movies of the run would cost, by the service's own estimates.
 *
 * @throws Violation when it does not give them.
 */
export async function estimateRun(service: Service): Promise<RunEstimate> {
  const { call } = createCalls(service, { maxCreates: 0 });
  const prices = new Map<string, Estimate>();
  let isStudio = false;
  let amountMinor = 0;
  for (const order of announcedCreates().orders) {
    const body = JSON.stringify(order);
    let price = prices.get(body);
    if (!price) {
      const answer = await call('estimateMovie', { body });
      isStudio = answer.headers.get('server') === 'greenlight-studio';
      price = bodyOf(answer, Estimate);
      prices.set(body, price);
    }
    amountMinor += price.amount_minor;
  }
  return { amountMinor, currency: [...prices.values()][0]?.currency ?? '', isStudio };
}

export interface RunOptions {
  readonly patienceMs: number;
  readonly onResult?: (result: ClauseResult) => void;
  /** Stops after the clause under way; what was made is canceled all the same. */
  readonly signal?: AbortSignal;
}

/** Checks every clause, and cancels what was made for it. */
export async function runConformance(
  service: Service,
  { patienceMs, onResult, signal }: RunOptions,
): Promise<ConformanceReport> {
  const suite = openSuite(service, { patienceMs });
  const results: ClauseResult[] = [];
  let leftOver: readonly string[] = [];
  try {
    for (const clause of suite.clauses) {
      if (signal?.aborted) break;
      const { id, section, says } = clause;
      const result = { id, section, says, outcome: await suite.check(clause) };
      results.push(result);
      onResult?.(result);
    }
  } finally {
    leftOver = await suite.session.cleanUp();
  }
  const { sent, made } = suite.session.account;
  const interrupted = results.length < suite.clauses.length;
  const idempotency = interrupted ? null : await suite.idempotency().catch(() => null);
  return {
    results,
    idempotency,
    creates: { announced: maxCreates(), sent, accepted: [...made.keys()] },
    interrupted,
    leftOver,
  };
}
