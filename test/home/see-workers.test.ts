import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { expect, onTestFinished, test } from 'vitest';
import { stopInBackground } from '../../home/background-process.js';
import type { TemporalConfig } from '../../home/config.js';
import { freePort } from '../../home/free-port.js';
import { codeTrouble } from '../../home/temporal/code-trouble.js';
import { listWorkers } from '../../home/temporal/list-workers.js';
import { hasEnded, seeWorkers } from '../../home/temporal/see-workers.js';
import { createTemporalClient } from '../../home/temporal/temporal-client.js';
import { startTemporalServer } from '../../home/temporal/temporal-server.js';
import { nativeWay } from '../../worker/native-way.js';
import { namesOf } from '../../workflows/names.js';
import { serveProxy } from '../api/proxy-server.js';

const ledgerId = '6f1c22aa-90b3-4c1d-8e2f-000000000001';
/** That has workers. */
const servedId = '7f1c22aa-90b3-4c1d-8e2f-000000000002';
const none = { workers: 0, trouble: null };

test('a Temporal that does not run, is away, has no worker, is behind a proxy', async () => {
  expect(await seeWorkers(null, ledgerId, null)).toEqual({ temporal: 'not running', ...none });
  const nowhere = { address: `127.0.0.1:${await freePort()}`, namespace: 'default', proxy: null };
  expect(await seeWorkers(nowhere, ledgerId, 'spring-1')).toEqual({ temporal: 'away', ...none });
  expect([await listWorkers(null, ledgerId), await listWorkers(nowhere, ledgerId)]).toEqual([null, null]);
  const home = await mkdtemp(join(tmpdir(), 'greenlight-workers-'));
  const port = await freePort();
  const pid = await startTemporalServer({ home, port, env: process.env, say: () => undefined });
  onTestFinished(async () => {
    await stopInBackground(pid);
    await rm(home, { recursive: true, force: true });
  });
  const temporal = { address: `127.0.0.1:${port}`, namespace: 'default', proxy: null };
  expect(await seeWorkers(temporal, ledgerId, 'spring-1')).toEqual({ temporal: 'there', lastSeenMs: null, ...none });
  expect(await listWorkers(temporal, ledgerId)).toEqual([]);
  const { pid: ended } = spawnSync(process.execPath, ['--version']);
  const { workflowQueue, orderQueue } = namesOf(servedId);
  const asking = [
    await asks(temporal, `${ended}@${hostname()}`, workflowQueue),
    await asks(temporal, '4711@elsewhere', workflowQueue),
    await asks(temporal, '4711@elsewhere', orderQueue),
  ];
  const elsewhereToo = { name: '4711@elsewhere', queues: ['making', 'orders'], build: '1.2.3-abc', isAlive: true };
  const endedHere = { name: `${ended}@${hostname()}`, queues: ['making'], isAlive: false };
  await expect
    .poll(() => listWorkers(temporal, servedId), { timeout: 20_000 })
    .toEqual(
      [elsewhereToo, endedHere]
        .toSorted((one, other) => (one.name < other.name ? -1 : 1))
        .map((worker) => expect.objectContaining(worker)),
    );
  for (const stop of asking) await stop();
  const proxy = await serveProxy(port);
  const elsewhere = {
    ...{ address: 'temporal.example.test:7233', namespace: 'default' },
    proxy: { host: new URL(proxy.url).host, user: null },
  };
  expect(await seeWorkers(elsewhere, ledgerId, 'spring-1')).toEqual({ temporal: 'there', lastSeenMs: null, ...none });
  const byClients = proxy.asked.length;
  const connection = await NativeConnection.connect(nativeWay(elsewhere));
  await connection.close();
  expect(proxy.asked.length).toBeGreaterThan(byClients);
  expect(new Set(proxy.asked)).toEqual(new Set(['temporal.example.test:7233']));
});

/** Asks a queue for work as a worker does, until it is stopped. */
async function asks(temporal: TemporalConfig, identity: string, queue: string): Promise<() => Promise<void>> {
  const { client, close } = createTemporalClient(temporal, servedId);
  const ending = new AbortController();
  const deploymentOptions = { deploymentName: queue, buildId: '1.2.3-abc', workerVersioningMode: 1 };
  const asked = { namespace: 'default', taskQueue: { name: queue }, identity, deploymentOptions };
  const poll = client.connection
    .withAbortSignal(ending.signal, () =>
      client.withDeadline(Date.now() + 60_000, () => client.workflowService.pollActivityTaskQueue(asked)),
    )
    .catch(() => undefined); // ended by us
  return async () => {
    ending.abort();
    await poll;
    await close();
  };
}

test('a worker that was killed on this machine is known to have ended; of others nothing is', () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  expect(hasEnded(`${pid}@${hostname()}`)).toBe(true);
  expect(hasEnded(`${process.pid}@${hostname()}`)).toBe(false);
  expect(hasEnded(`${pid}@another-machine`)).toBe(false);
  expect(hasEnded('a name of its own')).toBe(false);
});

test('a workflow whose code fails says with what; one whose task was only lost with its worker says nothing', async () => {
  const failed = { workflowTaskFailedEventAttributes: { failure: { message: 'nowhere is not defined' } } };
  const events = {
    failed: [{ workflowExecutionSignaledEventAttributes: {} }, { ...failed, eventTime: { seconds: 90 } }],
    lost: [{ workflowTaskTimedOutEventAttributes: {} }, { workflowTaskCompletedEventAttributes: {} }, failed],
    new: [],
  };
  const seen = (history: keyof typeof events, attempt: number) => {
    const workflowService = {
      getWorkflowExecutionHistoryReverse: async () => ({ history: { events: events[history] } }),
    };
    const client = { workflowService, options: { namespace: 'default' } } as unknown as Client;
    return codeTrouble(client, { pendingWorkflowTask: { attempt } } as WorkflowExecutionDescription['raw']);
  };
  expect(await seen('failed', 2)).toEqual({
    trouble: 'this version of the worker fails at it: nowhere is not defined',
    troubleSinceMs: 90_000,
  });
  expect([await seen('failed', 1), await seen('lost', 2), await seen('new', 2)]).toEqual([null, null, null]);
});
