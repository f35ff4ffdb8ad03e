import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Stretch, Tally } from './tally.js';

/** So long a stretch takes seconds: processes end nearly together. */
const seedsPerStretch = 20;

function* stretches({ from, seeds }: Stretch): Generator<Stretch> {
  const end = from + seeds;
  for (let next = from; next < end; next += seedsPerStretch) {
    yield { from: next, seeds: Math.min(seedsPerStretch, end - next) };
  }
}

export interface JobsOptions extends Stretch {
  readonly jobs: number;
  /** Workflows that are bundled already. */
  readonly bundle: string;
}

type Tell = (stretch: Stretch, tally: Tally) => void;

/** Runs seeds in as many processes, each of which asks for the next stretch when it is done with one. */
export async function runJobs({ jobs, bundle, ...all }: JobsOptions, tell: Tell): Promise<void> {
  const left = stretches(all);
  const children = Array.from({ length: jobs }, () =>
    fork(fileURLToPath(new URL('job.ts', import.meta.url)), [bundle]),
  );
  await Promise.all(children.map((child) => feed(child, left, tell)));
}

async function feed(child: ChildProcess, left: Iterator<Stretch>, tell: Tell): Promise<void> {
  const ended = once(child, 'exit');
  const answer = async () => {
    const [said] = await Promise.race([once(child, 'message'), ended.then(() => [])]);
    if (said === undefined) throw new Error('A process of the simulation ended before its seeds');
    return said as Tally;
  };
  await answer(); // it is there
  for (let next = left.next(); !next.done; next = left.next()) {
    child.send(next.value);
    tell(next.value, await answer());
  }
  child.disconnect();
  await ended;
}
