import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openManifestOf } from '../../../cli/manifest/manifest-input.js';
import type { CliContext } from '../../../cli/terminal/context.js';
import type { Config } from '../../../home/config.js';
import { runCommand } from '../memory-context.js';

let cwd = '';
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'greenlight-encoding-'));
});
afterEach(async () => {
  await rm(cwd, { recursive: true, force: true });
});

const sheet = 'id,prompt\na,Ein Läufer in der Dämmerung auf der Straße\n';

test('a guess of the encoding stops --yes before anything is started, with the words to look at', async () => {
  await writeFile(join(cwd, 'x.csv'), iconv.encode(sheet, 'windows-1252'));
  const { stderr, exitCode } = await runCommand(['run', 'x.csv', '--budget', '5USD', '--yes'], { cwd });
  expect(exitCode).toBe(3);
  expect(stderr).toContain('Cannot use x.csv with --yes: decoded as windows-1252, a guess');
  expect(stderr).toContain('"Läufer", "Dämmerung", "Straße"');
  expect(stderr).toContain('--encoding windows-1252 confirms it');
  expect(existsSync(join(cwd, '.greenlight'))).toBe(false);
});

test.each([
  ['an encoding that was asked for', iconv.encode(sheet, 'windows-1252'), 'windows-1252'],
  ['UTF-8', Buffer.from(sheet), undefined],
  ['UTF-16 with a mark', iconv.encode(sheet, 'utf-16le', { addBOM: true }), undefined],
])('%s does not', async (_what, bytes, encoding) => {
  await writeFile(join(cwd, 'x.csv'), bytes);
  const config = { home: join(cwd, 'home'), allowPrivateReferences: false } as Config; // what opening one reads of it
  const context = { cwd, stdin: process.stdin } as unknown as CliContext;
  const opened = await openManifestOf(context, { path: 'x.csv', flags: { yes: true, encoding }, config });
  expect(opened.manifest.rowCount).toBe(1);
  await opened.close();
});
