import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readConfig } from '../../home/config.js';
import { openParts } from '../../home/services.js';
import { studioKey, webhookSecret } from '../../home/studio-process.js';
import { openWebhooks, type Webhooks } from '../../home/webhooks.js';
import { type Office, openOffice } from '../operations/office.js';

let office: Office;
let home: string;
const opened: Webhooks[] = [];
const strangers: Server[] = [];
beforeEach(async () => {
  office = await openOffice();
  home = await mkdtemp(join(tmpdir(), 'greenlight-webhooks-'));
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  for (const one of strangers.splice(0)) await new Promise((resolve) => one.close(resolve));
  await office.close();
  await rm(home, { recursive: true, force: true });
});

async function open(env: Record<string, string> = {}): Promise<Webhooks> {
  const config = await readConfig({ env: { GREENLIGHT_HOME: home, ...env }, cwd: home });
  const webhooks = await openWebhooks(config, office.deps);
  opened.push(webhooks);
  return webhooks;
}

async function closeAll(): Promise<void> {
  for (const one of opened.splice(0)) await one.close();
}

/** A program that is no worker of this home. */
async function stranger(port = 0): Promise<number> {
  const server = createServer((_, response) => response.writeHead(418).end());
  strangers.push(server);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const portOf = (url: string | null) => Number(new URL(url ?? '').port);

async function send(url: string | null, secret?: string): Promise<number> {
  const [body, at] = ['{}', new Date()];
  const signed = secret && {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
  };
  return (await fetch(url ?? '', { method: 'POST', body, ...(signed && { headers: signed }) })).status;
}

describe('events of the home’s own studio', () => {
  test('are received at this machine, by a secret that the home keeps', async () => {
    const { url } = await open();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/webhooks$/);
    expect(await send(url)).toBe(401);
    expect(await send(url, await webhookSecret(home))).toBe(204);
  });

  test('come to the same port at the next start, unless a stranger has taken it', async () => {
    const first = await open();
    await closeAll();
    const second = await open();
    expect(second.url).toBe(first.url);
    await closeAll();
    await stranger(portOf(first.url));
    const third = await open();
    expect(third.url).not.toBe(first.url);
    // Those above are given to outgoing connections, also while nobody listens here.
    for (const { url } of [first, third]) expect(portOf(url)).toBeLessThan(32_768);
    expect(await send(third.url)).toBe(401);
  });

  test('are received by one worker for all of the home', async () => {
    const [one, other] = [await open(), await open()];
    expect(other.url).toBe(one.url);
    expect(await send(other.url)).toBe(401);
  });

  test('are received by the next worker when the one that listened is gone', async () => {
    const worker = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    try {
      const port = await stranger();
      const parts = await openParts(home);
      await parts.exclusively(async (ofHome) => ofHome.record({ name: 'studio webhooks', pid: worker.pid ?? 0, port }));
      parts.close();
      const { url } = await open();
      expect([portOf(url), await send(url)]).toEqual([port, 418]);
      worker.kill('SIGKILL');
      await once(worker, 'exit');
      for (const one of strangers.splice(0)) await new Promise((resolve) => one.close(resolve));
      await vi.waitFor(async () => expect(await send(url)).toBe(401), { timeout: 20_000, interval: 50 });
    } finally {
      worker.kill('SIGKILL');
    }
  });
});

describe('events of a service of one’s own', () => {
  const service = { MOVIE_API_URL: 'https://movies.example/v1', MOVIE_API_KEY: 'k' };
  const url = 'https://hooks.example/greenlight';

  test('are not asked for unless they are set up', async () => {
    expect((await open(service)).url).toBeNull();
  });

  test('may be received by another machine', async () => {
    expect((await open({ ...service, GREENLIGHT_WEBHOOK_URL: url })).url).toBe(url);
    expect((await readdir(home)).filter((name) => name !== 'references')).toEqual([]);
  });

  test('are received where the configuration says, at the path of their address', async () => {
    const secrets = [`whsec_${btoa('the first')}`, `whsec_${btoa('the next')}`] as const;
    const port = await stranger();
    for (const one of strangers.splice(0)) await new Promise((resolve) => one.close(resolve));
    const env = {
      ...service,
      GREENLIGHT_WEBHOOK_URL: url,
      GREENLIGHT_WEBHOOK_LISTEN: String(port),
      GREENLIGHT_WEBHOOK_SECRET: secrets.join(' '),
    };
    expect([(await open(env)).url, (await open(env)).url]).toEqual([url, url]);
    const here = `http://127.0.0.1:${port}/greenlight`;
    expect(await send(here)).toBe(401);
    for (const secret of secrets) expect(await send(here, secret)).toBe(204);
    expect(await send(`http://127.0.0.1:${port}/webhooks`, secrets[0])).toBe(404);
  });

  test('cannot be received where a stranger listens', async () => {
    const port = await stranger();
    const env = { ...service, GREENLIGHT_WEBHOOK_URL: url, GREENLIGHT_WEBHOOK_LISTEN: `127.0.0.1:${port}` };
    await expect(open(env)).rejects.toThrow(
      new RegExp(`^Cannot receive events at 127.0.0.1:${port}: .*EADDRINUSE.*; change GREENLIGHT_WEBHOOK_LISTEN$`),
    );
  });
});

test('secrets of a home are made once, readable by their owner, and leave no drafts', async () => {
  const made = await Promise.all([webhookSecret(home), webhookSecret(home), studioKey(home)]);
  expect(made[0]).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect([made[1], await webhookSecret(home)]).toEqual([made[0], made[0]]);
  expect(await studioKey(home)).toBe(made[2]);
  expect((await readdir(home)).sort()).toEqual(['studio.key', 'webhook.secret']);
  for (const name of await readdir(home)) expect((await stat(join(home, name))).mode & 0o777).toBe(0o600);
  expect(await readFile(join(home, 'webhook.secret'), 'utf8')).toBe(`${made[0]}\n`);
});
