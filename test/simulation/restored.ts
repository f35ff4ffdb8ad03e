import type { ArchiveMark, ArchiveMarks } from '../../domain/ledger-mark.js';
import type { Ledger } from '../../ledger/ledger.js';
import { checkArchive } from '../../operations/restored.js';
import { setTime } from '../ledger/scene.js';
import { count } from './coverage.js';
import { calmDown, type Stage } from './disturbances.js';
import { ledgerFrom } from './ledger-copies.js';
import { acceptedMovies, left, type Play, type Played, play } from './play.js';
import { World, type WorldOptions } from './world.js';

const hourMs = 3_600_000;

/** The marks beside an archive's files, in memory. */
export function marksInMemory(): ArchiveMarks {
  const marks = new Map<string, ArchiveMark>();
  const nameOf = ({ ledgerId, service }: Pick<ArchiveMark, 'ledgerId' | 'service'>) =>
    JSON.stringify([ledgerId, service.name, service.baseUrl]);
  return {
    list: async () => [...marks.values()],
    write: async (mark) => void marks.set(nameOf(mark), mark),
    remove: async (mark) => void marks.delete(nameOf(mark)),
  };
}

export interface Restoring {
  /** At rest. */
  readonly lost: Stage;
  readonly copy: Buffer;
  readonly options: WorldOptions;
  readonly how: Pick<Play, 'trace' | 'askEvery'>;
}

/**
 * The ledger is lost, and all go on from a copy of it that knows nothing of what was ordered since. Nothing may leave
 * until people have compared it with the archive. Whether they cancel what was made or not, and approve what waited:
 * nothing is made twice, and all must come to rest again.
 */
export async function restore({ lost, copy, options, how }: Restoring): Promise<Played> {
  const ledger = await ledgerFrom(copy);
  const { counts, rows } = lost;
  const world = new World({ ...options, ledger, startMs: lost.world.nowMs + hourMs });
  try {
    setTime(ledger, () => world.nowMs);
    const made = await madeSince(ledger, lost);
    const accepted = await acceptedMovies(lost);
    await lost.world.studio?.close();
    await world.open();
    calmDown(world);
    const halted = await checkArchive({ ...world.office.deps, ledger }, options.marks); // no gate: nobody else is there yet
    if (halted === null && made.length > 0) {
      return { steps: 0, broken: ['O5 a ledger that is behind its archive may order'] };
    }
    count(counts, 'fault ledger restored');
    count(counts, 'class ledger restored from a copy');
    how.trace.push(`restored: ${halted}; ${made.map(({ rowKey }) => rowKey)} were made since`);
    world.later(2 * hourMs, 'people compare the ledger with its archive', () =>
      world.run('compare', () => world.office.compare(options.marks, made)),
    );
    const forgotten = new Set(made.map(({ key }) => key));
    const stage = { world, ledger, counts, rows, forgotten, accepted };
    const played = await play(stage, { ...how, disturbanceRate: 0, patience: 0, startsWell: true });
    if (played.broken.length > 0) how.trace.push(...(await left(ledger)));
    return played;
  } finally {
    await world.close();
    await ledger.close();
  }
}

export interface MadeSince {
  readonly key: string;
  readonly batchId: string;
  readonly rowKey: string;
}

/** The orders that made a movie, and that the copy does not know. */
async function madeSince(copy: Ledger, { ledger, world }: Stage): Promise<readonly MadeSince[]> {
  const orders = await ledger.db.selectFrom('orders').select(['idempotency_key', 'batch_id', 'row_key']).execute();
  const known = new Set(
    (await copy.db.selectFrom('orders').select('idempotency_key').execute()).map((order) => order.idempotency_key),
  );
  const created = new Set(world.studio?.books().creates.map(({ idempotencyKey }) => idempotencyKey));
  return orders
    .filter(({ idempotency_key: key }) => created.has(key) && !known.has(key))
    .map(({ idempotency_key: key, batch_id: batchId, row_key: rowKey }) => ({ key, batchId, rowKey }));
}
