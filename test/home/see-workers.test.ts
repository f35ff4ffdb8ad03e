import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { stopInBackground } from '../../home/background-process.js';
import { freePort } from '../../home/free-port.js';
import { seeWorkers } from '../../home/temporal/see-workers.js';
import { startTemporalServer } from '../../home/temporal/temporal-server.js';
import { missingWorkers, type WorkersSeen, whyWaiting } from '../../operations/why-waiting.js';
import { openOffice } from '../operations/office.js';

const ledgerId = '6f1c22aa-90b3-4c1d-8e2f-000000000001';
const none = { workers: 0, trouble: null };

test('a Temporal that does not run, is away, has no worker', async () => {
  expect(await seeWorkers(null, ledgerId, null)).toEqual({ temporal: 'not running', ...none });
  const nowhere = { address: `127.0.0.1:${await freePort()}`, namespace: 'default' };
  expect(await seeWorkers(nowhere, ledgerId, 'spring-1')).toEqual({ temporal: 'away', ...none });
  const home = await mkdtemp(join(tmpdir(), 'greenlight-workers-'));
  const port = await freePort();
  const pid = await startTemporalServer({ home, port, env: process.env, say: () => undefined });
  onTestFinished(async () => {
    await stopInBackground(pid);
    await rm(home, { recursive: true, force: true });
  });
  const temporal = { address: `127.0.0.1:${port}`, namespace: 'default' };
  expect(await seeWorkers(temporal, ledgerId, 'spring-1')).toEqual({ temporal: 'there', ...none });
});

test('why a batch does not go on: what is missing, what its attempts failed with', async () => {
  const office = await openOffice();
  onTestFinished(() => office.close());
  const { ledger } = office.deps;
  const ask = (seen: WorkersSeen, state: 'preparing' | 'waiting' = 'preparing') =>
    whyWaiting({ ledger, seeWorkers: async () => seen }, { batchId: 'spring-1', state });
  expect(await ask({ temporal: 'there', workers: 1, trouble: null })).toEqual([]);
  expect(await ask({ temporal: 'there', workers: 1, trouble: 'the service is away' })).toEqual(['the service is away']);
  const absent = { temporal: 'not running', ...none } as const;
  expect(await ask(absent)).toEqual([missingWorkers(absent)]);
  // For a person it waits with or without workers.
  expect(await ask({ temporal: 'away', ...none }, 'waiting')).toEqual([]);
});
