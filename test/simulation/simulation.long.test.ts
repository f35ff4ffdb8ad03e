import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { type Counts, count, expected } from './coverage.js';
import { openSandbox } from './sandbox.js';
import { replayCommand } from './shrink.js';
import { Simulator } from './simulate.js';

vi.setConfig({ testTimeout: 3 * 3_600_000 });

let simulator: Simulator;

beforeAll(async () => {
  simulator = await Simulator.open(await openSandbox(inject('workflowBundle')));
});
afterAll(() => simulator.close());

test('a thousand seeds come to rest, no promise is broken, and every state and every cell came up', async () => {
  const counts: Counts = new Map();
  for (let seed = 10_001; seed <= 11_000; seed += 1) {
    const run = await simulator.run({ seed });
    expect(run.broken, replayCommand(run)).toEqual([]);
    for (const [name, times] of run.counts) count(counts, name, times);
  }
  expect(expected.filter((name) => !counts.has(name))).toEqual([]);
});
