import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../studio/open-studio.js';
import { conformance, key, serve, serveOther } from './conformance-scene.js';

test('a service that breaks a promise ends with 1, and the clause, what was sent and what came back are shown', async () => {
  const { url } = await serve({ faults: { rules: [{ effect: 'word', operation: 'getMovie' }] } });
  const { exitCode, stdout } = await conformance(['--url', url, '--patience', '0'], { env: { MOVIE_API_KEY: key } });
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(
    /failed +Endpoints: A get returns the job and its current status\n +The service uses the status upscaling\n +sent +GET \/v1\/movies\/movie_\w+\n +received +200 application\/json/,
  );
});

test('--json and --junit give the whole report', async () => {
  const { url } = await serve({
    idempotency: 'none',
    faults: { rules: [{ effect: 'echo', text: 'a < b & "c"\u0007' }] },
  });
  const cwd = await temporaryFolder();
  const { exitCode, stdout } = await conformance(['--url', url, '--key', key, '--json', '--junit', 'report.xml'], {
    cwd,
  });
  expect(exitCode).toBe(1);
  const report = JSON.parse(stdout);
  expect(report).toMatchObject({
    service: url,
    idempotency: { sameRequest: 'none' },
    leftOver: [],
  });
  const xml = await readFile(join(cwd, 'report.xml'), 'utf8');
  expect(xml).toContain(`<testsuites name="${url}" tests="${report.results.length}" failures="`);
  expect(xml).toContain('a &lt; b &amp; \\&quot;c\\&quot;');
  expect(xml).not.toContain(key);
});

test('another service than the studio is judged with --yes, and what was made is canceled', async () => {
  const { url, books } = await serveOther();
  const { exitCode } = await conformance(['--url', url, '--key', key, '--yes']);
  expect(exitCode).toBe(0);
  expect(books().movies.every(({ endedMs }) => endedMs !== null)).toBe(true);
});

test('another account and a callback address leave nothing untested but the rate limit', async () => {
  const { url } = await serve({ apiKeys: [key, 'key-of-another'], webhooks: { allowLoopback: true } });
  const port = await freePort();
  const place = ['--webhook-url', `http://127.0.0.1:${port}/hook`, '--webhook-listen', `127.0.0.1:${port}`];
  const { exitCode, stdout } = await conformance([
    '--url',
    url,
    '--key',
    key,
    '--other-key',
    'key-of-another',
    ...place,
  ]);
  expect(stdout).toMatch(/\n\d+ passed, 0 failed, 1 not testable\n/);
  expect(exitCode).toBe(0);
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
