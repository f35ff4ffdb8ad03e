import { type Counts, observeCancel } from './coverage.js';
import type { LedgerInMemory } from './ledger-copies.js';
import { type Act, acts } from './office.js';
import type { World } from './world.js';

const minuteMs = 60_000;

const happenings = [
  ...['worker killed', 'worker killed', 'worker killed', 'attempt given up', 'attempt given up', 'workflow evicted'],
  ...['time passes', 'time passes', 'time passes', 'temporal away', 'service killed', 'service killed', 'locked out'],
  ...[
    'clock steps',
    'workflow terminated',
    'workflow canceled in Temporal',
    'days pass',
    'event forged',
    'event forged',
  ],
] as const;

type Happening = (typeof happenings)[number];

/** What people do most while movies are made. */
const often = [
  'cancel a row',
  'pause',
  'resume',
  'go on',
  'resolve',
  'resolve',
  'stop the budget',
  'start the budget',
] as const;

export const disturbances = [...happenings, ...happenings, ...often, ...often, ...acts] as const;

export interface Stage {
  readonly world: World;
  readonly ledger: LedgerInMemory;
  readonly counts: Counts;
  readonly rows: readonly string[];
  /** Keys of orders that a restored ledger does not know. */
  readonly forgotten: ReadonlySet<string>;
  /** Movies that people in a ledger that is lost took upon them to be billed for once more. */
  readonly accepted: ReadonlySet<string>;
}

/** Does to the world what was drawn. */
export async function disturb(stage: Stage, what: (typeof disturbances)[number]): Promise<void> {
  const { world } = stage;
  const act = acts.find((each) => each === what);
  if (!act) return happen(world, what as Happening); // what is no act
  if (act.startsWith('cancel')) await noteCancels(stage, act);
  world.run(act, () => world.office.do(act));
}

/** The batch that will be meant is not known yet: all that it may be are counted. */
async function noteCancels({ ledger, counts, rows }: Stage, act: Act): Promise<void> {
  const batches = await ledger.db.selectFrom('batches').select('batch_id').execute();
  for (const { batch_id: batchId } of batches) {
    await observeCancel(ledger, { batchId, rowKeys: act === 'cancel all' ? 'all' : rows }, counts);
  }
}

async function happen(world: World, what: Happening): Promise<void> {
  const { faults, temporal } = world;
  const { random } = faults;
  switch (what) {
    case 'worker killed': {
      const [worker] = world.workers;
      if (!worker) return;
      world.kill(worker);
      return world.later(random.between(0, 3 * minuteMs), 'a worker starts', () => world.startWorker());
    }
    case 'attempt given up': {
      const { attempts } = world;
      if (attempts.length > 0) temporal.giveUp(random.pick(attempts));
      return;
    }
    case 'workflow evicted':
      for (const each of temporal.executions) await temporal.evict(each);
      return;
    case 'time passes':
      return void (await world.passTo(world.nowMs + random.pick([2_000, minuteMs, 10 * minuteMs, 90 * minuteMs])));
    case 'days pass':
      return void (await world.passTo(world.nowMs + 8 * 24 * 60 * minuteMs));
    case 'temporal away':
      world.temporalIsAway = true;
      return world.later(random.pick([minuteMs, 300 * minuteMs]), 'Temporal is back', () => {
        world.temporalIsAway = false;
      });
    case 'service killed': {
      const { studio } = world;
      world.studio = null;
      await studio?.close();
      const inMs = random.pick([1_000, 1_000, 10_000, 10 * minuteMs]);
      return world.later(inMs, 'the service is back', () => (world.studio ? undefined : world.openStudio()));
    }
    case 'event forged':
      return forge(world);
    case 'locked out':
      world.lockedOutUntilMs = world.nowMs + random.pick([minuteMs, 60 * minuteMs]);
      return;
    case 'clock steps':
      world.skewMs = random.pick([-60 * minuteMs, -1_000, 0, minuteMs, 120 * minuteMs]);
      return;
    case 'workflow terminated':
    case 'workflow canceled in Temporal': {
      const running = temporal.executions.filter(
        ({ state, type }) => state === 'running' && type !== 'reconcileWorkflow',
      );
      if (running.length === 0) return;
      const one = random.pick(running);
      return what === 'workflow terminated' ? temporal.close(one, 'terminated') : temporal.cancel(one);
    }
    default:
      return what satisfies never;
  }
}

/** Of a movie that is under way, of one that nobody knows, or of any, with an end that it may not have. */
function forge(world: World): void {
  const { random } = world.faults;
  const movies = world.studio?.books().movies ?? [];
  const movieId = movies.length > 0 && random.chance(0.8) ? random.pick(movies).movieId : 'movie_ofNobody';
  const status = random.pick(['completed', 'failed', 'canceled', 'rendering', 'melted']);
  world.run('an event', () => world.events.forge({ movieId, status }));
}

/** Ends every disturbance that does not end by itself. */
export function calmDown(world: World): void {
  world.faults.calm = true;
  world.skewMs = 0;
  world.lockedOutUntilMs = 0;
}
