import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { eachSetting } from '../../home/settings.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'greenlight-linters');

/** A linter of its own kind for each file; null where it is not here. */
const linters = [
  { name: 'hadolint', program: join(cache, 'python/bin/hadolint'), args: ['deploy/docker/Dockerfile'] },
  {
    name: 'the schema of compose files',
    program: join(cache, 'python/bin/check-jsonschema'),
    args: ['--builtin-schema', 'vendor.compose-spec', 'deploy/docker/compose.yaml'],
  },
  { name: 'helm lint', program: join(cache, 'helm'), args: ['lint', '--strict', 'deploy/chart'] },
  {
    name: 'systemd-analyze',
    program: '/usr/bin/systemd-analyze',
    args: ['security', '--offline=true', '--threshold=20', 'deploy/systemd/greenlight-worker.service'],
  },
];

describe('deploy/', () => {
  for (const { name, program, args } of linters) {
    if (!existsSync(program)) test.skip(`skipped: ${name} is not here; test/deploy-linters.sh gets it`);
    else {
      test(`${name} finds nothing`, () => {
        const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: 'utf8' });
        expect(`${stdout}${stderr}`, `${status}`).not.toMatch(/\berror\b/i);
        expect(status, `${stdout}${stderr}`).toBe(0);
      });
    }
  }

  test('the image ends without build tools, and its program runs as nobody', () => {
    const stages = read('deploy/docker/Dockerfile').split(/^FROM /m);
    const base = stages.find((stage) => /AS base\n/.test(stage)) ?? '';
    const last = stages.at(-1) ?? '';
    expect(last).toMatch(/^base AS worker\n/);
    expect(base).toMatch(/^USER 10001:10001$/m);
    expect(base + last).not.toMatch(/apt-get|npm |build-essential|USER root/);
  });

  test('compose has two workers that wait for what they need', () => {
    const { services } = parse(read('deploy/docker/compose.yaml'), { merge: true }) as {
      readonly services: Readonly<Record<string, { deploy?: { replicas: number }; depends_on?: object }>>;
    };
    expect(services.worker?.deploy?.replicas).toBe(2);
    for (const name of Object.keys(services.worker?.depends_on ?? {})) expect(services[name]).toBeDefined();
    expect(Object.keys(services.worker?.depends_on ?? {})).toEqual(['ledger-tables', 'temporal', 'bucket']);
  });

  test('only settings that there are', () => {
    const known = new Set(eachSetting().map(({ env }) => env));
    const files = readdirSync(join(root, 'deploy'), { recursive: true, encoding: 'utf8' })
      .map((name) => join('deploy', name))
      .filter((name) => /\.(yaml|service)$|Dockerfile$/.test(name));
    const named = files.flatMap((name) =>
      [...read(name).matchAll(/\b(GREENLIGHT|MOVIE_API)_[A-Z_]+/g)].map(([one]) => one),
    );
    expect(named.length).toBeGreaterThan(10);
    expect([...new Set(named)].filter((name) => !known.has(name))).toEqual([]);
  });

  test('the chart and the image are of this version', () => {
    const { version } = JSON.parse(read('package.json')) as { readonly version: string };
    expect(parse(read('deploy/chart/Chart.yaml'))).toMatchObject({ appVersion: version });
  });
});
