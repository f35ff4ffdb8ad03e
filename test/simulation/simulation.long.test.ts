import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { replayCommand } from './runs/shrink.js';
import { openSandbox } from './sandbox.js';
import { Simulator } from './simulate.js';

vi.setConfig({ testTimeout: 900_000 });

let simulator: Simulator;

beforeAll(async () => {
  simulator = await Simulator.open(await openSandbox(inject('workflowBundle')));
});
afterAll(() => simulator.close());

// Beyond those of every commit: about a minute where nothing else runs.
test('two hundred seeds come to rest, and no promise is broken', async () => {
  for (let seed = 10_001; seed <= 10_200; seed += 1) {
    const run = await simulator.run({ seed });
    expect(run.broken, replayCommand(run)).toEqual([]);
  }
});
