import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MockActivityEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMovieApi, type MovieApi } from '../../api/movie-api.js';
import { type Ledger, openLedger } from '../../ledger/ledger.js';
import { listEntries } from '../../ledger/money/entries.js';
import { type ServedStudio, serveStudio } from '../../studio/serve.js';
import { type Scene, setTheScene } from '../ledger/scene.js';
import { expectSoundBooks } from '../ledger/sound.js';
import { type ChildOrder, type Step, steps } from './order-child.js';
import { type OrderSite, orderDeps } from './order-deps.js';

const apiKey = 'sk_the_key_of_the_test';
const script = fileURLToPath(new URL('./order-child.ts', import.meta.url));

let folder: string;
let ledger: Ledger;
let scene: Scene;
let served: ServedStudio;
let api: MovieApi;
let site: OrderSite;
let batchId: string;

/** A row for each step; every one is ordered by a process that dies at its step, all side by side. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenlight-order-'));
  const ledgerUrl = `sqlite:${join(folder, 'ledger.db')}`;
  ledger = await openLedger({ url: ledgerUrl });
  scene = setTheScene(ledger);
  scene.nowMs = Date.now();
  await scene.fund('acme', 100_000);
  served = await serveStudio({
    ...{ port: 0, dataFolder: join(folder, 'studio'), apiKeys: [apiKey], render: 'stub', books: true },
  });
  api = createMovieApi({ baseUrl: served.url, apiKey });
  site = { ledgerUrl, serviceUrl: served.url, apiKey, nowMs: scene.nowMs };
  batchId = await scene.make(steps.map(rowOf));
  expect(await Promise.all(steps.map(killedAt))).toEqual(steps.map(() => 'SIGKILL'));
}, 180_000);

afterAll(async () => {
  await api.close();
  await served.close();
  await ledger.close();
  await rm(folder, { recursive: true, force: true });
});

function rowOf(step: Step): string {
  return step.replaceAll(' ', '-');
}

async function killedAt(die: Step): Promise<NodeJS.Signals | null> {
  const order: ChildOrder = { ...site, batchId, rowKey: rowOf(die), die };
  const child = spawn(process.execPath, ['--import', 'tsx', script, JSON.stringify(order)], { stdio: 'inherit' });
  const [, signal] = await once(child, 'exit');
  return signal;
}

async function createsOf(step: Step): Promise<number> {
  const { idempotencyKey } = await scene.row(batchId, rowOf(step));
  return served.studio.books().creates.filter((create) => create.idempotencyKey === idempotencyKey).length;
}

async function moneyOf(step: Step): Promise<readonly string[]> {
  const entries = await listEntries(ledger, { batchId, rowKey: rowOf(step), limit: 100 });
  return entries.map(({ kind, attempt }) => `${kind} ${attempt}`);
}

describe('a worker that is killed while it orders', () => {
  test.each(steps)('%s: the next one makes one movie of one hold', async (step) => {
    const { order } = orderDeps(site, { ledger, api });
    const answer = await new MockActivityEnvironment().run(order, batchId, [rowOf(step)]);
    expect(answer).toMatchObject({ ordered: [{ rowKey: rowOf(step), outcome: 'running' }], later: [] });
    expect(await createsOf(step)).toBe(1);
    expect(await moneyOf(step)).toEqual(['hold 1', 'post 1']);
    await expectSoundBooks(ledger);
  });

  test('had sent its order where it died after that, and not where it died before', async () => {
    const { sends } = await ledger.db
      .selectFrom('sends')
      .select((eb) => eb.fn.countAll<number>().as('sends'))
      .executeTakeFirstOrThrow();
    // Where the admission was not committed, the one send is that of the second process; where the answer was, of the first.
    const unsent = steps.filter(
      (step) => step.endsWith(' the admission') && step !== 'after the commit of the admission',
    );
    expect(sends).toBe(2 * steps.length - unsent.length - 1);
    expect(served.studio.books().creates).toHaveLength(steps.length);
  });
});
