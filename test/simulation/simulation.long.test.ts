import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { openSandbox } from './sandbox.js';
import { replayCommand } from './shrink.js';
import { Simulator } from './simulate.js';

vi.setConfig({ testTimeout: 300_000 });

let simulator: Simulator;

beforeAll(async () => {
  simulator = await Simulator.open(await openSandbox(inject('workflowBundle')));
});
afterAll(() => simulator.close());

test('seeds after the first come to rest, and no promise is broken', async () => {
  for (let seed = 7; seed <= 40; seed += 1) {
    const run = await simulator.run({ seed });
    expect(run.broken, replayCommand(run)).toEqual([]);
  }
});
