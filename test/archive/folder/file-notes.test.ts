import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { expect, onTestFinished, test } from 'vitest';
import { createFileNotes } from '../../../archive/folder/file-notes.js';

test('a note takes away what processes that were killed left of theirs, and nothing else', async () => {
  const root = await mkdtemp(join(tmpdir(), 'greenlight-notes-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const folder = join(root, '.ledgers');
  await mkdir(folder);
  const { pid: dead } = spawnSync(process.execPath, ['--version']);
  const part = (host: string, pid: number) => `.${host}-${pid}-${randomUUID()}.part`;
  const kept = [part(hostname(), process.pid), part('another-machine', dead), '.of-a-person.part'];
  const left = [part(hostname(), dead), `${part(hostname(), dead)}.copy`];
  for (const name of [...kept, ...left]) await writeFile(join(folder, name), '{');

  const notes = createFileNotes(root);
  await notes.write('ledgers/one.json', '{}\n');
  expect((await readdir(folder)).toSorted()).toEqual([...kept, 'one.json'].toSorted());
  expect(await notes.list('ledgers')).toEqual(['ledgers/one.json']);
});
