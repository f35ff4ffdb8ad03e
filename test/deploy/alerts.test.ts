import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createLedgerGauges, createSoundnessGauge } from '../../telemetry/ledger-gauges.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(`${root}/${path}`, 'utf8');
const rulesText = read('deploy/prometheus/rules.yml');
const operating = read('docs/operating.md');

interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly labels?: { readonly severity: string };
  readonly annotations?: { readonly summary: string; readonly runbook: string };
}
const { groups } = parse(rulesText) as { readonly groups: readonly { readonly rules: readonly Rule[] }[] };
const alerts = groups.flatMap(({ rules }) => rules).filter(({ alert }) => alert !== undefined);
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

/** As GitHub makes the name of a heading's link. */
function anchors(page: string): readonly string[] {
  const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

/** Metrics of ours that a text names. */
function ourMetrics(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/\bgreenlight_[a-z_]+/g)].map(([name]) => name));
}

describe('alerts', () => {
  test.each(alerts)(
    '$alert names a section of docs/operating.md, and stands in it',
    ({ alert, annotations, labels }) => {
      const [page, anchor = ''] = annotations?.runbook.split('#') ?? [];
      expect(page).toBe('docs/operating.md');
      expect(anchors(operating)).toContain(anchor);
      expect(operating).toContain(`\`${alert}\``);
      expect(['page', 'ticket']).toContain(labels?.severity);
    },
  );

  test('docs/operating.md names no other alerts', () => {
    const named = new Set([...operating.matchAll(/`(Greenlight[A-Z]\w+)`/g)].map(([, name]) => name));
    expect([...named].sort()).toEqual(alerts.map(({ alert }) => alert).sort());
  });

  test.each(['deploy/prometheus/rules.yml', 'deploy/grafana/dashboard.json'])(
    '%s asks for metrics that there are',
    async (path) => {
      const registry = new Registry();
      createLedgerGauges(registry as never);
      createSoundnessGauge(registry as never);
      const shown = (await registry.getMetricsAsJSON()).map(({ name }) => name);
      shown.push('greenlight_events_total'); // of each process
      expect([...ourMetrics(read(path))].filter((name) => !shown.includes(name))).toEqual([]);
    },
  );

  test.skipIf(!hasPromtool)('go off when they should and not before (promtool)', () => {
    const cwd = `${root}/deploy/prometheus`;
    const run = (...args: string[]) => execFileSync('promtool', args, { cwd, encoding: 'utf8', stdio: 'pipe' });
    expect(run('check', 'config', 'prometheus.yml')).toContain('SUCCESS');
    expect(run('test', 'rules', 'rules-test.yml')).toContain('SUCCESS');
  });

  test('each is tried by promtool, going off', () => {
    const tried = parse(read('deploy/prometheus/rules-test.yml')) as {
      readonly tests: readonly {
        readonly alert_rule_test: readonly { alertname: string; exp_alerts: readonly unknown[] }[];
      }[];
    };
    const going = tried.tests.flatMap((one) => one.alert_rule_test).filter(({ exp_alerts }) => exp_alerts.length > 0);
    const names = new Set(going.map(({ alertname }) => alertname));
    expect(alerts.map(({ alert = '' }) => alert).filter((alert) => !names.has(alert))).toEqual([]);
  });
});
