import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { freePort } from '../../../home/free-port.js';
import { openLedger } from '../../../ledger/ledger.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

test('from the sources the desk draws its pages in whatever folder the command is typed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'greenlight-sources-'));
  await mkdir(join(folder, '.greenlight'));
  await (await openLedger({ url: `sqlite:${join(folder, '.greenlight', 'ledger.db')}` })).close();
  const { PATH = '' } = process.env;
  const listen = `127.0.0.1:${await freePort()}`;
  const child = spawn('npm', ['--prefix', root, 'run', '--silent', 'dev', '--', 'serve'], {
    ...{ cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'pipe'] as const },
    env: { PATH, HOME: folder, GREENLIGHT_DESK_LISTEN: listen, npm_config_update_notifier: 'false' },
  });
  let said = '';
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const address = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        const found = /http:\S+(?=\n)/.exec(said)?.[0];
        if (found) resolve(found);
      });
    }
  });
  try {
    const url = await Promise.race([address, ended.then(() => said)]);
    const answer = await fetch(url);
    expect([answer.status, (await answer.text()).includes('<h1>Sign in</h1>'), said]).toEqual([200, true, said]);
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  }
}, 120_000);
