import { expect, test } from 'vitest';
import { ownPostgres } from './own-postgres.js';
import { killRunUntilMade } from './run-sweep.js';
import { killWorkerUntilMade } from './worker-sweep.js';

/** `npm run kills` has 200; a seed of one's own is given by GREENLIGHT_KILL_SEED. */
const kills = Number(process.env.GREENLIGHT_KILLS ?? 12);
const firstSeed = Number(process.env.GREENLIGHT_KILL_SEED ?? 1);

/** Of one sheet: more find it made. */
const killsOfASheet = 8;
/** Of those where the ledger is on PostgreSQL. */
const killsOfAWorker = Math.ceil(kills / 4);

/** A state that passed between two looks is no point to kill at: that sheet is made without, and the next seed's is tried. */
async function killed(most: number, until: (seed: number, most: number) => Promise<readonly string[]>): Promise<void> {
  const enough = firstSeed + 3 * most;
  let done = 0;
  for (let seed = firstSeed; done < most; seed += 1) {
    expect(seed, `${done} kills of ${most}`).toBeLessThan(enough);
    const victims = await until(seed, Math.min(killsOfASheet, most - done));
    console.log(`seed ${seed}: ${victims.join(', ')}`);
    done += victims.length;
  }
}

const timeout = kills * 180_000;

test('run, killed at points that a seed chooses: the same command goes on, exact to the end', { timeout }, () =>
  killed(kills - killsOfAWorker, killRunUntilMade),
);

test('a worker on PostgreSQL, the same, and its database killed, too', { timeout }, async ({ skip }) => {
  const serverUrl = await ownPostgres();
  if (serverUrl === null) return skip('there is no PostgreSQL');
  await killed(killsOfAWorker, (seed, most) => killWorkerUntilMade(serverUrl, seed, most));
});
