import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileTypeFromFile } from 'file-type';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConformanceReport, runConformance } from '../../conformance/run-conformance.js';
import type { ReferenceContent } from '../../studio/render/reference/probe-reference.js';
import { renderFilm } from '../../studio/render/render.js';
import { createStudio, type Studio } from '../../studio/studio.js';
import { handClock } from '../studio/open-studio.js';
import { assetMutants } from './mutants/asset-mutants.js';
import { createMutants } from './mutants/create-mutants.js';
import { errorMutants } from './mutants/error-mutants.js';
import { estimateMutants } from './mutants/estimate-mutants.js';
import { idempotencyMutants } from './mutants/idempotency-mutants.js';
import { movieMutants } from './mutants/movie-mutants.js';
import { type Mutant, operationOf } from './mutants/mutant.js';

/** The studio with one behaviour broken at a time: each must be found, by the clause that is about it. */
const mutants: readonly Mutant[] = [
  ...createMutants,
  ...idempotencyMutants,
  ...movieMutants,
  ...assetMutants,
  ...estimateMutants,
  ...errorMutants,
];

const keys = { own: 'key-of-the-mutants', other: 'other-key-of-the-mutants' };
const clock = handClock();
let studio: Studio;
let dataFolder: string;
/** By callback address: an event may arrive when the next run has begun. */
const receivers = new Map<string, (body: string) => void>();

// One for all: each run has keys and movies of its own.
beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'studio-'));
  studio = await createStudio({
    dataFolder,
    apiKeys: [keys.own, keys.other],
    render: 'stub',
    clock,
    rate: { perSecond: 100, burst: 50 },
    jobSeconds: ({ prompt }) => (prompt.endsWith('To be canceled.') ? 3_600_000 : 0),
    webhooks: {
      async send(url, { body }) {
        receivers.get(url)?.(body);
        return 204;
      },
    },
    // What an upload is looked into with is tested elsewhere, and takes longer than all the rest.
    renderer: { renderFilm, probeReference },
  });
});
afterAll(async () => {
  await studio.close();
  await rm(dataFolder, { recursive: true, force: true });
});

async function probeReference(path: string): Promise<ReferenceContent> {
  const mimeType = (await fileTypeFromFile(path))?.mime ?? 'text/plain';
  return { mimeType, kind: 'image', width: 8, height: 8, durationSeconds: null };
}

async function judge({ breakage, event = (body) => body }: Partial<Mutant>): Promise<ConformanceReport> {
  const received: string[] = [];
  const url = `https://events.example/${crypto.randomUUID()}`;
  receivers.set(url, (body) => {
    const sent = event(body);
    if (sent !== null) received.push(sent);
  });
  const broken = breakage?.();
  const next = (request: Request) => studio.fetch(request);
  const service = {
    baseUrl: 'http://studio.test/v1',
    apiKey: keys.own,
    otherKey: keys.other,
    events: { url, received },
    fetch: (request: Request) => (broken ? broken(request, next, operationOf(request)) : next(request)),
    async sleep(ms: number) {
      clock.forward(ms / 1000);
      for (let turn = 0; turn < 5; turn += 1) await setImmediate();
    },
  };
  return runConformance(service, { patienceMs: 2_000 });
}

const failuresOf = ({ results }: ConformanceReport) =>
  results.filter(({ outcome }) => outcome.result === 'failed').map(({ id }) => id);

test('the studio as it is keeps every clause, and every clause can be tested', async () => {
  const { results } = await judge({});
  expect(results.filter(({ outcome }) => outcome.result !== 'passed')).toEqual([]);
});

describe('a service that', () => {
  test.each(mutants)('$name is found by $clause', async (mutant) => {
    const failures = failuresOf(await judge(mutant));
    expect(failures).toContain(mutant.clause);
    // A broken base leaves its dependants untested, not failed.
    expect(failures.length, failures.join(' ')).toBeLessThanOrEqual(mostFailures);
  });
});

const mostFailures = 12;
