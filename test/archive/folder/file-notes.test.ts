import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { expect, onTestFinished, test } from 'vitest';
import type { ArchiveNotes } from '../../../archive/archive-store.js';
import { createFileNotes } from '../../../archive/folder/file-notes.js';

/** When this process began, as the system counts it; its name is the one field that may have spaces. */
const began =
  process.platform === 'linux'
    ? (readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ')[19] ?? '')
    : '0';

const acts = {
  'whoever writes a note': (notes) => notes.write('ledgers/one.json', '{}\n'),
  'whoever looks at the notes': (notes) => notes.list('ledgers'),
} satisfies Readonly<Record<string, (notes: ArchiveNotes) => Promise<unknown>>>;

test.each(Object.entries(acts))(
  '%s takes away what killed processes left of theirs, and nothing else',
  async (_, act) => {
    const root = await mkdtemp(join(tmpdir(), 'greenlight-notes-'));
    onTestFinished(() => rm(root, { recursive: true, force: true }));
    const folder = join(root, '.ledgers');
    await mkdir(folder);
    const { pid: dead } = spawnSync(process.execPath, ['--version']);
    const part = (host: string, pid: number, start: string) => `.${host}-${pid}-${start}-${randomUUID()}.part`;
    const kept = [part(hostname(), process.pid, began), part('another-machine', dead, began), '.of-a-person.part'];
    const left = [part(hostname(), dead, began), `${part(hostname(), dead, began)}.copy`];
    for (const name of [...kept, ...left]) await writeFile(join(folder, name), '{');

    // A container that starts again has the process ids that it had before.
    const ofOldNumber = part(hostname(), process.pid, '1');
    if (process.platform === 'linux') await writeFile(join(folder, ofOldNumber), '{');

    await writeFile(join(folder, 'one.json'), '{}\n');
    const notes = createFileNotes(root);
    await act(notes);
    expect((await readdir(folder)).toSorted()).toEqual([...kept, 'one.json'].toSorted());
    expect(await notes.list('ledgers')).toEqual(['ledgers/one.json']);
  },
);

test('what cannot be taken away keeps nobody from looking at the notes', async () => {
  const root = await mkdtemp(join(tmpdir(), 'greenlight-notes-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const { pid: dead } = spawnSync(process.execPath, ['--version']);
  await mkdir(join(root, '.ledgers', `.${hostname()}-${dead}-1-${randomUUID()}.part`), { recursive: true });
  await writeFile(join(root, '.ledgers', 'one.json'), '{}\n');
  expect(await createFileNotes(root).list('ledgers')).toEqual(['ledgers/one.json']);
});
