import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '../../home/free-port.js';
import { startCollector } from '../telemetry/collector.js';
import { hasPrometheus, startPrometheus } from '../telemetry/prometheus-server.js';
import { makeHome, threeBriefs } from './home.js';

if (!hasPrometheus) test.skip('skipped: prometheus is not here; Debian has it in a package of this name');

interface Answer {
  readonly data: {
    readonly result: readonly { readonly metric: Readonly<Record<string, string>>; readonly value: [number, string] }[];
    readonly activeTargets: readonly { readonly health: string; readonly lastError: string }[];
    readonly groups: readonly { readonly rules: readonly { readonly name: string; readonly health: string }[] }[];
    readonly alerts: readonly { readonly labels: { readonly alertname: string }; readonly state: string }[];
  };
}

describe.skipIf(!hasPrometheus)('a real Prometheus', () => {
  test('scrapes a worker that makes movies: its figures, the rules, no alert; and its traces are one', async () => {
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
