import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ServeOptions, serveStudio } from '../../../studio/serve.js';
import { temporaryFolder } from '../../studio/open-studio.js';
import { runCommand } from '../memory-context.js';

const key = 'key-of-the-run';
const jobSeconds = ({ prompt }: { readonly prompt: string }) => (prompt.endsWith('To be canceled.') ? 3600 : 0);

async function serve(options: Partial<ServeOptions> = {}) {
  const dataFolder = await temporaryFolder();
  const served = await serveStudio({ port: 0, dataFolder, apiKeys: [key], render: 'stub', jobSeconds, ...options });
  onTestFinished(() => served.close());
  return served;
}

async function conformance(args: readonly string[], options: Partial<Parameters<typeof runCommand>[1]> = {}) {
  return runCommand(['conformance', ...args], { cwd: await temporaryFolder(), ...options });
}

test('judges the studio without a URL, and says what it would cost before', async () => {
  const { exitCode, stdout, stderr } = await conformance([]);
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/orders at most \d+ movies \(\d+\.\d\d USD by its own estimate\)/);
  expect(stdout).toMatch(/\n\d+ passed, 0 failed, 1 not testable\n/);
  expect(stdout).toContain('Repeated Idempotency-Key: replay');
});

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

describe('another service than the studio', () => {
  async function serveOther() {
    const { studio } = await serve();
    const server = createAdaptorServer({
      overrideGlobalObjects: false,
      async fetch(request) {
        const answer = await studio.fetch(request);
        answer.headers.delete('server');
        return answer;
      },
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(async () => {
      await new Promise((resolve) => server.close(resolve));
    });
    const { port } = server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}/v1`, books: () => studio.books() };
  }

  test('is not touched without consent', async () => {
    const { url, books } = await serveOther();
    const { exitCode, stderr } = await conformance(['--url', url, '--key', key]);
    expect(exitCode).toBe(3);
    expect(stderr).toContain('add --yes');
    expect(books().creates).toEqual([]);
  });

  test('is judged with --yes, and what was made is canceled', async () => {
    const { url, books } = await serveOther();
    const { exitCode } = await conformance(['--url', url, '--key', key, '--yes']);
    expect(exitCode).toBe(0);
    expect(books().movies.every(({ endedMs }) => endedMs !== null)).toBe(true);
  });
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

test('Ctrl-C stops the run, cancels what was made and ends with 130', async () => {
  const { url, studio } = await serve({ jobSeconds: 3600 });
  const onOutput = (text: string, interrupt: () => void) => {
    if (text.includes('A create is answered with 202')) interrupt();
  };
  const { exitCode, stderr } = await conformance(['--url', url, '--key', key], { onOutput });
  expect(exitCode).toBe(130);
  expect(stderr).toContain('Stopping');
  expect(studio.books().movies.map(({ status }) => status)).toEqual(['canceled']);
});

test.each([
  ['no key', ['--url', 'http://127.0.0.1:9/v1'], 2, 'MOVIE_API_KEY'],
  ['a key in clear', ['--url', 'http://movies.example.test/v1', '--key', key], 2, 'to movies.example.test in clear'],
  ['no address', ['--url', 'example', '--key', key], 2, 'example is not an http or https address'],
  [
    'half of a callback address',
    ['--url', 'http://127.0.0.1:9/v1', '--key', key, '--webhook-listen', '1'],
    2,
    '--webhook-url',
  ],
  ['nobody there', ['--url', 'http://127.0.0.1:1/v1', '--key', key], 4, 'did not answer'],
])('%s is said in one line', async (_, args, code, words) => {
  const { exitCode, stderr } = await conformance(args);
  expect(exitCode).toBe(code);
  expect(stderr).toContain(words);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

test('a refused key is said before anything is made', async () => {
  const { url, studio } = await serve();
  const { exitCode, stderr } = await conformance(['--url', url, '--key', 'wrong']);
  expect(exitCode).toBe(4);
  expect(stderr).toContain('401');
  expect(studio.books().creates).toEqual([]);
});
