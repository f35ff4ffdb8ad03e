import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startInBackground } from '../../home/background-process.js';

async function failingStart(script: string, { before = '' }: { readonly before?: string } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'greenlight-background-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const logFile = join(folder, 'part.log');
  await writeFile(logFile, before);
  const start = startInBackground({
    ...{ file: '/bin/sh', args: ['-c', script], env: { PATH: process.env.PATH }, port: 1, logFile },
  });
  const message = await start.then(
    () => expect.unreachable('it should not start'),
    (error: Error) => error.message,
  );
  return { message, log: await readFile(logFile, 'utf8') };
}

test('a program that ends is told by the last lines of its log', async () => {
  const { message } = await failingStart('for i in 1 2 3 4; do echo "line $i"; done; exit 1');
  expect(message).toBe('Cannot start /bin/sh: it ended with code 1; its log says: line 2 | line 3 | line 4');
});

test('a program that breaks down is told by its reason, not by where it was', async () => {
  const { message } = await failingStart(
    'echo "panic: no port is free"; for i in 1 2 3 4; do echo "main.go:$i"; done; exit 2',
    { before: 'panic: of yesterday\n' },
  );
  expect(message).toBe('Cannot start /bin/sh: it ended with code 2; its log says: panic: no port is free');
});

test('what an earlier start wrote is not taken for this one', async () => {
  const { message, log } = await failingStart('exit 3', { before: 'panic: of yesterday\n' });
  expect(message).toBe('Cannot start /bin/sh: it ended with code 3');
  expect(log).toBe('panic: of yesterday\n');
});
