import { expect, test } from 'vitest';
import { conformance, key, serve, serveOther } from './conformance-scene.js';

test('judges the studio without a URL, and says what it would cost before', async () => {
  const { exitCode, stdout, stderr } = await conformance([]);
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/orders at most \d+ movies \(\d+\.\d\d USD by its own estimate\)/);
  expect(stdout).toMatch(/\n\d+ passed, 0 failed, 1 not testable\n/);
  expect(stdout).toContain('Repeated Idempotency-Key: replay');
});

test('another service than the studio is not touched without consent', async () => {
  const { url, books } = await serveOther();
  const { exitCode, stderr } = await conformance(['--url', url, '--key', key]);
  expect(exitCode).toBe(3);
  expect(stderr).toContain('add --yes');
  expect(books().creates).toEqual([]);
});

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
