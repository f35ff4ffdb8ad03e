import { expect, test } from 'vitest';
import { killUntilMade } from './kill-sweep.js';

/** `npm run kills` has 200; a seed of one's own is given by GREENLIGHT_KILL_SEED. */
const kills = Number(process.env.GREENLIGHT_KILLS ?? 8);
const firstSeed = Number(process.env.GREENLIGHT_KILL_SEED ?? 1);

/** Of one sheet: more find it made. */
const killsOfASheet = 8;

test(`${kills} kills at points that a seed chooses: the same command goes on, exact to the end`, {
  timeout: kills * 180_000,
}, async () => {
  let done = 0;
  for (let seed = firstSeed; done < kills; seed += 1) {
    const killed = await killUntilMade(seed, Math.min(killsOfASheet, kills - done));
    console.log(`seed ${seed}: ${killed.join(', ')}`);
    expect(killed.length, `seed ${seed}`).toBeGreaterThan(0);
    done += killed.length;
  }
});
