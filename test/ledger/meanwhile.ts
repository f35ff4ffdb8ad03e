import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Ledger, openLedger } from '../../ledger/ledger.js';
import { setTime } from './scene.js';
import type { Stage } from './suite.js';

/**
 * An act that another process begins while a transaction of the scene's ledger is open, which goes on once the act waits
 * for it. SQLite has one writer at a time, who would wait for itself beside a second one of this process: there the act
 * comes afterwards.
 *
 * @returns what the act answered, or its error
 */
export async function beginsMeanwhile(
  { scene, url }: Stage,
  act: (other: Ledger) => Promise<unknown>,
  hold: (begin: () => Promise<void>) => Promise<unknown>,
): Promise<unknown> {
  const { ledger } = scene;
  const other = ledger.dialect === 'sqlite' ? ledger : await openLedger({ url });
  setTime(other, () => scene.nowMs);
  let answer: Promise<unknown> | undefined;
  try {
    await hold(async () => {
      let isOver = false;
      answer = act(other)
        .catch((error: unknown) => error)
        .finally(() => {
          isOver = true;
        });
      if (ledger.dialect !== 'sqlite') while (!isOver && !(await isWaited(ledger))) await setTimeout(5);
    });
    return await answer;
  } finally {
    await answer;
    if (other !== ledger) await other.close();
  }
}

/** The ledger, whose transactions call `begin` when all but their commit is done. */
export function beforeCommit(ledger: Ledger, begin: () => Promise<void>): Ledger {
  return {
    ...ledger,
    write: (work, options) =>
      ledger.write(async (tx) => {
        const done = await work(tx);
        await begin();
        return done;
      }, options),
  };
}

/** Whether somebody waits for a lock in the ledger's database. */
async function isWaited({ db }: Ledger): Promise<boolean> {
  const { rows } = await sql<{ waiting: number }>`
    select cast(count(*) as int) as waiting from pg_locks join pg_stat_activity on pg_stat_activity.pid = pg_locks.pid
    where not pg_locks.granted and pg_stat_activity.datname = current_database()`.execute(db);
  return (rows[0]?.waiting ?? 0) > 0;
}
