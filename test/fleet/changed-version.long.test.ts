import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { freePort } from '../../home/free-port.js';
import { listAudit } from '../../ledger/access/audit.js';
import { countRows } from '../../ledger/batches/rows.js';
import type { Ledger } from '../../ledger/ledger.js';
import { hasPrometheus, startPrometheus } from '../telemetry/prometheus-server.js';
import { builtProgram } from '../whole/build.js';
import { booksIn, expectPromisesKept, makeHome } from '../whole/home.js';
import { nextVersion } from './next-version.js';
import { keepStudio, keepWorker, serviceKey } from './parts.js';

const main = await builtProgram();
const minutes = 60_000;
const jobSeconds = 60;
const rowCount = 300;

test(
  'slices and a batch that do not fit the new worker: their rows are delivered, and it is told',
  { timeout: 20 * minutes },
  async () => {
    const next = await nextVersion(main);
    const scene = await inTheMaking(rowCount);
    const { ledger, batch, worker } = scene;
    await worker.killFor(next);
    await scene.goesOff('GreenlightCannotReplay');
    await scene.isDelivered();

    const restarts = (await listAudit(ledger, { object: batch, limit: 1_000 })).filter(({ act }) => act === 'restart');
    const told = worker.lines().filter(({ event }) => event === 'restarted');
    expect(restarts.length).toBeGreaterThan(0);
    expect(told.map(({ detail }) => detail)).toEqual(restarts.map(({ detail }) => detail.reason).reverse());
    expect(await latestMs(ledger)).toBeLessThan(2 * minutes);
    await scene.isSound();
  },
);

test(
  'workflow code with an ordinary error stands still: an alert and status say so, and mended code delivers',
  { timeout: 15 * minutes },
  async () => {
    const faulty = await nextVersion(main, 'fault');
    const scene = await inTheMaking(10);
    const { home, batch, worker } = scene;
    await worker.killFor(faulty);
    await vi.waitFor(
      async () => {
        const { stdout } = await home.run(['status', batch]);
        expect(stdout).toContain('this version of the worker fails at it: nowhere is not defined');
      },
      { timeout: 5 * minutes, interval: 1_000 },
    );
    await scene.goesOff('GreenlightWorkflowsFail');
    await worker.killFor(main);
    await scene.isDelivered();
    await scene.isSound();
  },
);

/** A worker of this version with most rows of a batch in progress at the service, and Prometheus where it is here. */
async function inTheMaking(count: number) {
  const home = await makeHome();
  const studio = await keepStudio(home, jobSeconds);
  const health = await freePort();
  const service = { MOVIE_API_URL: `http://127.0.0.1:${studio.port}/v1`, MOVIE_API_KEY: serviceKey };
  const env = { ...service, GREENLIGHT_MAX_IN_FLIGHT: '300', GREENLIGHT_HEALTH_LISTEN: `${health}` };
  const worker = await keepWorker(home, { name: 'home', env, program: main });
  const prometheus = hasPrometheus ? await startPrometheus(health) : null;
  if (!prometheus) console.log('Prometheus is not here: its alerts are not waited for');
  const lines = Array.from({ length: count }, (_, n) => `row-${n},A ferry leaves quay ${n} at dawn,5`);
  const sheet = await home.sheet(`id,prompt,duration_seconds\n${lines.join('\n')}\n`);
  const { batch } = await home.json<{ batch: string }>(['submit', sheet, '--budget', '50000USD'], { env: service });
  const approved = await home.run(['approve', batch, '--yes'], service);
  expect(approved.code, approved.stderr).toBe(0);
  const ledger = await home.ledger();
  await vi.waitFor(async () => expect((await countRows(ledger, batch)).running ?? 0).toBeGreaterThan(count * 0.7), {
    ...{ timeout: 5 * minutes, interval: 50 },
  });
  return {
    ...{ home, batch, worker, ledger },
    async goesOff(alert: string) {
      if (!prometheus) return;
      await vi.waitFor(async () => expect(await firing(prometheus)).toContain(alert), {
        ...{ timeout: 5 * minutes, interval: 250 },
      });
    },
    async isDelivered() {
      await vi.waitFor(
        async () => {
          const { state } = await ledger.db.selectFrom('batches').select('state').executeTakeFirstOrThrow();
          expect([(await countRows(ledger, batch)).delivered, state]).toEqual([count, 'closed']);
        },
        { timeout: 10 * minutes, interval: 250 },
      );
    },
    async isSound() {
      await worker.stop();
      await studio.stop();
      const books = await booksIn(join(home.folder, 'studio'));
      expect(books.creates).toHaveLength(count);
      await expectPromisesKept(home, books);
    },
  };
}

/** How long after its movie was made a row was delivered, at most. */
async function latestMs({ db }: Ledger): Promise<number> {
  const rows = await db.selectFrom('rows').select(['ordered_ms', 'ended_ms']).execute();
  return Math.max(...rows.map(({ ordered_ms, ended_ms }) => (ended_ms ?? 0) - (ordered_ms ?? 0) - jobSeconds * 1_000));
}

/** Names of the alerts that go off, as a real Prometheus sees the shipped rules. */
async function firing(prometheus: string): Promise<readonly string[]> {
  const answer = await (await fetch(`${prometheus}/alerts`)).json();
  const { data } = answer as { data: { alerts: { labels: { alertname: string }; state: string }[] } };
  return data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname);
}
