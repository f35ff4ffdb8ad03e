import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A run of its own over one file of tests, with the guard as every file here has it. */
async function runOf(planted: string): Promise<{ readonly code: number; readonly output: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'guard-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const config = { test: { globals: true, include: ['*.test.mjs'], setupFiles: [join(root, 'test/leaks/guard.ts')] } };
  await writeFile(join(folder, 'vitest.config.mjs'), `export default ${JSON.stringify(config)}`);
  await writeFile(join(folder, 'planted.test.mjs'), planted);
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder];
  return new Promise((resolve) => {
    execFile(process.execPath, args, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
}

test('a run in which a file leaves a server and a folder behind fails, though its tests pass', async () => {
  const { code, output } = await runOf(`
    import { mkdtempSync } from 'node:fs';
    import { createServer } from 'node:net';
    import { tmpdir } from 'node:os';
    test('passes', async () => {
      mkdtempSync(tmpdir() + '/left-');
      await new Promise((done) => createServer().listen(0, '127.0.0.1', done));
    });`);
  expect(output).toContain('a server that listens: 1');
  expect(output).toMatch(/a temporary file or folder: left-/);
  expect(code).toBe(1);
});

test('a run that leaves nothing behind passes', async () => {
  expect((await runOf("test('passes', () => {});")).code).toBe(0);
});
