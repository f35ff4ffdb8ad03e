import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '../../home/free-port.js';
import { startCollector } from '../telemetry/collector.js';
import { makeHome, threeBriefs } from './home.js';

const isHere = spawnSync('prometheus', ['--version']).status === 0;
if (!isHere) test.skip('skipped: prometheus is not here; Debian has it in a package of this name');

const deploy = new URL('../../deploy/prometheus/', import.meta.url);

/** The one that is shipped, with its target changed and looking each second. */
async function startPrometheus(target: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'greenlight-prometheus-'));
  const config = await readFile(new URL('prometheus.yml', deploy), 'utf8');
  const own = config.replace('127.0.0.1:9464', `127.0.0.1:${target}`).replaceAll('15s', '1s');
  await writeFile(join(folder, 'prometheus.yml'), own);
  await copyFile(new URL('rules.yml', deploy), join(folder, 'rules.yml'));
  const port = await freePort();
  const child = spawn(
    'prometheus',
    [
      ...[`--config.file=${folder}/prometheus.yml`, `--storage.tsdb.path=${folder}/data`],
      ...[`--web.listen-address=127.0.0.1:${port}`, '--log.level=error'],
    ],
    { stdio: 'ignore' },
  );
  onTestFinished(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return `http://127.0.0.1:${port}/api/v1`;
}

interface Answer {
  readonly data: {
    readonly result: readonly { readonly metric: Readonly<Record<string, string>>; readonly value: [number, string] }[];
    readonly activeTargets: readonly { readonly health: string; readonly lastError: string }[];
    readonly groups: readonly { readonly rules: readonly { readonly name: string; readonly health: string }[] }[];
    readonly alerts: readonly { readonly labels: { readonly alertname: string }; readonly state: string }[];
  };
}

describe.skipIf(!isHere)('a real Prometheus', () => {
  test('scrapes a worker that makes movies: its figures, the rules, no alert; and its traces are one', {
    timeout: 240_000,
  }, async () => {
    const home = await makeHome();
    const health = await freePort();
    const collector = await startCollector();
    onTestFinished(() => collector.close());
    const worker = home.start(['worker', '--health', `${health}`], { GREENLIGHT_LOG: 'json', ...collector.env });
    const api = await startPrometheus(health);
    const ask = async (path: string) => ((await (await fetch(`${api}/${path}`)).json()) as Answer).data;
    const value = async (query: string) => {
      const { result } = await ask(`query?query=${encodeURIComponent(query)}`);
      return result[0]?.value[1];
    };
    const patience = { timeout: 90_000, interval: 250 };

    await vi.waitFor(async () => expect((await fetch(`http://127.0.0.1:${health}/readyz`)).status).toBe(200), patience);
    const submitted = await home.run(['submit', await home.sheet(threeBriefs), '--budget', '10USD'], collector.env);
    expect(submitted.code, submitted.stderr).toBe(0);
    const approved = await home.run(['approve', 'sheet-1', '--yes']);
    expect(approved.code, approved.stderr).toBe(0);

    await vi.waitFor(async () => expect(await value('greenlight_events_total{event="delivered"}')).toBe('3'), patience);
    await vi.waitFor(async () => expect(await value('greenlight_batches{state="closed"}')).toBe('1'), patience);
    expect(await value('greenlight_ledger_up')).toBe('1');
    expect(await value('greenlight_budget_amount{path="sheet",kind="limit"}')).toBe('10');
    expect(Number(await value('sum(temporal_workflow_completed_total)'))).toBeGreaterThan(0);
    const { activeTargets } = await ask('targets');
    expect(activeTargets.map(({ health: state, lastError }) => [state, lastError])).toEqual([['up', '']]);
    const { groups } = await ask('rules');
    expect(groups.flatMap(({ rules }) => rules.filter((rule) => rule.health === 'err'))).toEqual([]);
    expect((await ask('alerts')).alerts).toEqual([]);

    worker.signal('SIGTERM');
    const { code, stdout, stderr } = await worker.ended;
    expect(code, stderr).toBe(0);
    const lines = stdout.trim().split('\n');
    const events = lines.map((line) => JSON.parse(line) as { readonly event?: string; readonly attempt?: number });
    expect(events.filter(({ event }) => event === 'ordered').map(({ attempt }) => attempt)).toEqual([1, 1, 1]);
    const submit = collector.spans.find(({ name }) => name === 'submit');
    const ofBatch = collector.spans.filter(({ traceId }) => traceId === submit?.traceId).map(({ name }) => name);
    expect(ofBatch).toEqual(
      expect.arrayContaining(['submit', 'seal', 'order', 'follow', 'archive', 'delivered', 'settle']),
    );
    await vi.waitFor(async () => expect(await value('up{job="greenlight"}')).toBe('0'), patience);
  });
});
