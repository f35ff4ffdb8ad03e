import { sql } from 'kysely';
import { openBatchStates } from '../../domain/batch-state.js';
import type { Ledger } from '../../ledger/ledger.js';
import { ledgerFaults } from '../../ledger/progress/orphans.js';
import { checkBooks } from '../../ledger/verification/check-books.js';
import type { Books } from '../../studio/books.js';
import { keyKeptMs } from '../../studio/idempotency.js';
import { brokenPromises } from '../oracle.js';
import { observe } from './coverage.js';
import { calmDown, disturb, disturbances, type Stage } from './disturbances.js';
import type { World } from './world.js';

const mostSteps = 10_000;
/** Since nothing more goes wrong: before that, days may pass as often as they are drawn. */
const mostCalmDays = 60;

export interface Play {
  readonly trace: string[];
  readonly askEvery: number;
  readonly disturbanceRate: number;
  readonly patience: number;
  readonly startsWell: boolean;
  /** The step at which the ledger is copied. */
  readonly copyAt?: number | null;
}

export interface Played {
  readonly steps: number;
  /** The promises that were broken; none when all is well. */
  readonly broken: readonly string[];
}

/** Lets one thing after the other happen until all has come to rest. */
export async function play(
  stage: Stage,
  { trace, askEvery, disturbanceRate, patience, startsWell, copyAt }: Play,
): Promise<Played> {
  const { world, ledger, counts } = stage;
  let commits = 0;
  let isQuiet = startsWell;
  world.faults.calm = isQuiet;
  let end = Number.POSITIVE_INFINITY;
  for (let steps = 1; ; steps += 1) {
    await world.gates.settled();
    if (world.unforeseen.length > 0) return { steps, broken: world.unforeseen };
    if (steps === patience) {
      calmDown(world);
      end = world.nowMs + mostCalmDays * 86_400_000;
    }
    if (steps === copyAt) world.copy = ledger.copy();
    if (isQuiet && (steps >= patience || trace.at(-1)?.includes(': order of'))) {
      isQuiet = false;
      world.faults.calm = steps >= patience;
    }
    if (steps > mostSteps) return { steps, broken: ['it does not come to rest: too many steps'] };
    const disturbance = world.faults.draw(disturbanceRate, disturbances, `step ${steps}`);
    if (disturbance) {
      trace.push(`${steps}: ${disturbance}`);
      await disturb(stage, disturbance);
      continue;
    }
    const choices = world.choices();
    if (choices.length === 0) {
      if (world.faults.calm && (await isAtRest(ledger, world))) return { steps, broken: await atRest(stage) };
      if (world.nextDueMs > end) return { steps, broken: ['it does not come to rest: too late'] };
      const due = await world.passTo(world.nextDueMs);
      trace.push(`${steps}: ${new Date(world.nowMs).toISOString()} ${due.join(', ')}`);
      continue;
    }
    const choice = world.schedule.pick(choices);
    trace.push(`${steps}: ${choice.what}`);
    try {
      await choice.happen();
    } catch (error) {
      return { steps, broken: [String(error)] };
    }
    if (!choice.what.includes(': write')) continue;
    await world.gates.settled();
    commits += 1;
    await observe(ledger, counts);
    if (commits % askEvery !== 0) continue;
    const broken = await brokenNow(stage, false);
    if (broken.length > 0) return { steps, broken };
  }
}

async function isAtRest({ db }: Ledger, { temporal, faults, studio }: World): Promise<boolean> {
  if (!studio) return false;
  const open = [...openBatchStates, 'unsettled'] as const;
  const batch = await db
    .selectFrom('batches')
    .select('batch_id')
    .where('state', 'in', [...open])
    .executeTakeFirst();
  const running = temporal.executions.some(({ state }) => state === 'running');
  const any = await db.selectFrom('batches').select('batch_id').executeTakeFirst();
  return any !== undefined && !batch && !running && faults.calm;
}

/** For a person: what a run that failed left behind. */
export async function left({ db }: Ledger): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('rows')
    .select(['batch_id', 'row_key', 'state', 'movie_id', 'reason', 'alarm'])
    .execute();
  const sends = await db.selectFrom('sends').select(['row_key', 'attempt', 'send_id', 'answer']).execute();
  const batches = await db.selectFrom('batches').select(['batch_id', 'state', 'stops']).execute();
  return [...batches, ...rows, ...sends].map((each) => JSON.stringify(each));
}

async function brokenNow(stage: Stage, atEnd: boolean): Promise<readonly string[]> {
  const { world, ledger, forgotten } = stage;
  if (!world.studio) return [];
  const paid = await withoutAccepted(stage, world.studio.books());
  const books = await knownBooks(ledger, paid, forgotten);
  const all = await brokenPromises({ ledger, books, archiveFolder: world.archiveFolder });
  // Judged at rest only: while something goes on, a movie may be made of which nobody has heard yet.
  return atEnd ? all : all.filter((one) => !/^O(9|1[0-4]) /.test(one));
}

/** Without what a restored ledger has forgotten, unless it was ordered again: then it is the same movie. */
async function knownBooks({ db }: Ledger, books: Books, forgotten: ReadonlySet<string>): Promise<Books> {
  if (forgotten.size === 0) return books;
  const orders = await db.selectFrom('orders').select('idempotency_key').execute();
  const known = new Set(orders.map(({ idempotency_key }) => idempotency_key));
  const isUnknown = (key: string | null) => key !== null && forgotten.has(key) && !known.has(key);
  return without(books, ({ idempotencyKey }) => isUnknown(idempotencyKey));
}

async function atRest(stage: Stage): Promise<readonly string[]> {
  const { ledger } = stage;
  const faults = (await ledgerFaults(ledger)).filter(({ kind }) => kind !== 'late_movie');
  return [
    ...(await brokenNow(stage, true)),
    ...faults.map((fault) => `books: ${JSON.stringify(fault)}`),
    ...(await checkBooks(ledger.db, null)).map((fault) => `books: ${JSON.stringify(fault)}`),
  ];
}

/**
 * First movies of keys that the service had forgotten when two people had them sent again: they said that this may be
 * billed once more. What was said in a ledger that is lost was said all the same.
 */
export async function acceptedMovies({ world, ledger, accepted }: Stage): Promise<ReadonlySet<string>> {
  const sentAgain = await ledger.db
    .selectFrom('audit')
    .innerJoin('orders', 'orders.batch_id', 'audit.object')
    .select(['orders.idempotency_key', 'audit.at_ms'])
    .where('audit.act', '=', 'resolve')
    .where('audit.detail', 'like', '%"kind":"resend"%')
    .where(sql<boolean>`audit.detail like '%"row":"' || orders.row_key || '"%'`)
    .execute();
  if (sentAgain.length === 0) return accepted;
  const creates = world.studio?.books().creates ?? [];
  const isAccepted = ({ idempotencyKey: key, atMs }: Books['creates'][number]) =>
    sentAgain.some(({ idempotency_key, at_ms }) => idempotency_key === key && atMs <= at_ms) &&
    creates.some((later) => later.idempotencyKey === key && later.atMs - atMs > keyKeptMs);
  return new Set([...accepted, ...creates.filter(isAccepted).map(({ movieId }) => movieId)]);
}

/** Of two movies of one key a ledger that was lost, and is restored, may have come to know either. */
async function withoutAccepted(stage: Stage, books: Books): Promise<Books> {
  const accepted = await acceptedMovies(stage);
  if (accepted.size === 0) return books;
  const orders = await stage.ledger.db.selectFrom('orders').select('movie_id').execute();
  const known = new Set(orders.map(({ movie_id }) => movie_id));
  const hidden = books.creates
    .filter(({ movieId }) => accepted.has(movieId))
    .map(({ movieId, idempotencyKey: key }) => {
      const other = books.creates.find((create) => create.idempotencyKey === key && !accepted.has(create.movieId));
      return known.has(movieId) ? other?.movieId : movieId;
    });
  return without(books, ({ movieId }) => hidden.includes(movieId));
}

function without(books: Books, isHidden: (create: Books['creates'][number]) => boolean): Books {
  const hidden = new Set(books.creates.filter(isHidden).map(({ movieId }) => movieId));
  const shown = ({ movieId }: { readonly movieId: string }) => !hidden.has(movieId);
  return { ...books, creates: books.creates.filter(shown), movies: books.movies.filter(shown) };
}
