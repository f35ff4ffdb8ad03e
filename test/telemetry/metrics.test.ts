import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { LedgerFigures } from '../../ledger/progress/ledger-figures.js';
import { healthRoutes } from '../../telemetry/health-routes.js';
import { createMetrics } from '../../telemetry/metrics.js';
import { asOpenMetrics } from '../../telemetry/sdk-text.js';

const figures: LedgerFigures = {
  rows: [{ campaign: 'spring', batchId: 'spring-1', state: 'unknown', count: 2 }],
  blocked: [],
  oldest: [{ state: 'archiving', sinceMs: 1_000 }],
  nextLookMs: 5_000,
  alarmed: [],
  batches: [{ state: 'making', count: 1 }],
  stops: [{ kind: 'credentials', count: 1 }],
  services: [{ name: 'studio', inFlight: 7, limit: null }],
  budgets: [
    {
      path: 'acme',
      currency: 'USD',
      rehearsal: false,
      limitMinor: 1050,
      committedMinor: 0,
      spentMinor: 5,
      overrunMinor: 0,
    },
    {
      path: 'acme',
      currency: 'JPY',
      rehearsal: true,
      limitMinor: 300,
      committedMinor: 0,
      spentMinor: 0,
      overrunMinor: 0,
    },
  ],
  held: [],
  halted: false,
  auditLength: 12,
};

const sdk = `# HELP temporal_request_total Count of client requests
# TYPE temporal_request_total counter
temporal_request_total{operation="PollWorkflowTaskQueue"} 4
# HELP temporal_sum_total a gauge with such a name
# TYPE temporal_sum_total gauge
temporal_sum_total 1
# EOF
`;

describe('metrics', () => {
  let sdkServer: ReturnType<typeof createServer>;
  let sdkUrl: string;
  beforeEach(async () => {
    sdkServer = createServer((_, response) => response.end(sdk));
    await new Promise<void>((resolve) => sdkServer.listen(0, '127.0.0.1', resolve));
    sdkUrl = `http://127.0.0.1:${(sdkServer.address() as AddressInfo).port}/metrics`;
  });
  afterEach(() => new Promise((resolve) => sdkServer.close(resolve)));

  test('are one text of the process, the ledger and the SDK', async () => {
    const metrics = createMetrics({
      figures: async () => figures,
      unsound: async () => 0,
      clock: () => 61_000,
      sdkUrl,
    });
    metrics.events.inc({ event: 'delivered' });
    const lines = (await metrics.text({ ledger: true })).split('\n');
    expect(lines).toContain('greenlight_events_total{event="delivered"} 1');
    expect(lines).toContain('greenlight_rows{campaign="spring",batch="spring-1",state="unknown"} 2');
    expect(lines).toContain('greenlight_oldest_row_age_seconds{state="archiving"} 60');
    expect(lines).toContain('greenlight_follow_lag_seconds 56');
    expect(lines).toContain('greenlight_budget_amount{path="acme",currency="USD",rehearsal="false",kind="limit"} 10.5');
    expect(lines).toContain('greenlight_budget_amount{path="acme",currency="JPY",rehearsal="true",kind="limit"} 300');
    expect(lines).toContain('greenlight_ledger_up 1');
    expect(lines).toContain('# TYPE temporal_request counter');
    expect(lines).toContain('temporal_request_total{operation="PollWorkflowTaskQueue"} 4');
    expect(lines.some((line) => line.startsWith('process_resident_memory_bytes '))).toBe(true);
    expect(lines.filter((line) => line === '# EOF')).toHaveLength(1);
    expect(lines.slice(-2)).toEqual(['# EOF', '']);
  });

  test('say nothing of a ledger that does not answer but that, and nothing of states that are over', async () => {
    let answer: () => Promise<LedgerFigures> = async () => figures;
    const metrics = createMetrics({
      figures: () => answer(),
      unsound: async () => 0,
      clock: () => 61_000,
      sdkUrl: null,
    });
    answer = () => Promise.reject(new Error('away'));
    const text = await metrics.text({ ledger: true });
    expect(text).toContain('greenlight_ledger_up 0');
    expect(text).not.toContain('greenlight_rows{');
    expect(text.split('\n').filter((line) => line.startsWith('greenlight_') && line.endsWith(' 0'))).toEqual([
      'greenlight_events_total{event="restarted"} 0',
      'greenlight_ledger_up 0',
    ]);
    answer = async () => ({ ...figures, rows: [] });
    expect(await metrics.text({ ledger: true })).toContain('greenlight_ledger_up 1');
    expect(await metrics.text({ ledger: true })).not.toContain('greenlight_rows{');
  });

  test('show how many counters of money differ, compared once for many who ask, and again where that failed', async () => {
    const answers = [() => Promise.reject(new Error('away')), async () => 2, async () => 0];
    let asked = 0;
    const unsound = async () => answers[asked++]?.() ?? 9;
    let nowMs = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
    onTestFinished(() => void vi.restoreAllMocks());
    const metrics = createMetrics({ figures: async () => figures, unsound, clock: () => 0, sdkUrl: null });
    const shown = async (atMs: number) => {
      nowMs = atMs;
      const text = await metrics.text({ ledger: true });
      return /^greenlight_ledger_unsound (.*)$/m.exec(text)?.[1];
    };
    expect(await shown(0)).toBeUndefined();
    expect(await shown(20_000)).toBe('2');
    expect(await shown(40_000)).toBe('2');
    expect(await shown(16 * 60_000)).toBe('0');
    expect(asked).toBe(3);
  });

  test('ask the ledger once for many who ask at once, and not at all where one does not want it', async () => {
    let asked = 0;
    const metrics = createMetrics({
      clock: () => 0,
      sdkUrl: null,
      unsound: async () => 0,
      figures: async () => {
        asked += 1;
        return figures;
      },
    });
    expect(await metrics.text({ ledger: false })).not.toContain('greenlight_ledger_up');
    await Promise.all(Array.from({ length: 5 }, () => metrics.text({ ledger: true })));
    await metrics.text({ ledger: true });
    expect(asked).toBe(1);
  });
});

test('a counter of the SDK is named as OpenMetrics names it; what only looks like one stays', () => {
  expect(asOpenMetrics(sdk)).toBe(
    sdk
      .replace('HELP temporal_request_total', 'HELP temporal_request')
      .replace('TYPE temporal_request_total', 'TYPE temporal_request')
      .replace('# EOF\n', ''),
  );
});

test('a process lives, is ready when nothing is lacking, and says what is', async () => {
  let lacking: readonly string[] = ['the ledger does not answer'];
  const metrics = createMetrics({ figures: async () => figures, unsound: async () => 0, clock: () => 0, sdkUrl: null });
  const routes = healthRoutes({ metrics, lacking: () => lacking });
  expect((await routes.request('/livez')).status).toBe(200);
  const refused = await routes.request('/readyz');
  expect([refused.status, await refused.text()]).toEqual([503, 'the ledger does not answer\n']);
  lacking = [];
  expect((await routes.request('/readyz')).status).toBe(200);
  const shown = await routes.request('/metrics?ledger=off');
  expect(shown.headers.get('content-type')).toMatch(/^application\/openmetrics-text; version=1\.0\.0/);
  expect(await shown.text()).not.toContain('greenlight_rows');
});
