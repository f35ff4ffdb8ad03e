import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { freePort } from '../../home/free-port.js';

export const hasPrometheus = spawnSync('prometheus', ['--version']).status === 0;

const deploy = new URL('../../deploy/prometheus/', import.meta.url);

/**
 * The one that is shipped, with its targets changed and looking each second, until the test is over.
 *
 * @returns the address of its interface.
 */
export async function startPrometheus(...targets: readonly number[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'greenlight-prometheus-'));
  const config = await readFile(new URL('prometheus.yml', deploy), 'utf8');
  const addresses = targets.map((port) => `127.0.0.1:${port}`).join('", "');
  const own = config.replace('127.0.0.1:9464', addresses).replaceAll('15s', '1s');
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
