import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { archiveId } from '../../archive/archive-identity.js';
import { createFileNotes } from '../../archive/folder/file-notes.js';

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'greenlight-identity-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test('an archive has one identity, whoever asks first, and a copy has the same', async () => {
  const [folder, copy] = [await makeFolder(), await makeFolder()];
  const asked = await Promise.all(Array.from({ length: 8 }, () => archiveId(createFileNotes(folder))));
  expect(new Set(asked).size).toBe(1);
  await cp(folder, copy, { recursive: true });
  expect(await archiveId(createFileNotes(copy))).toBe(asked[0]);
  expect(await archiveId(createFileNotes(await makeFolder()))).not.toBe(asked[0]);
});

test('something else in its place is told, and not replaced', async () => {
  const folder = await makeFolder();
  await writeFile(join(folder, '.archive.json'), '{}');
  const says = /^Cannot read \.archive\.json of the archive: .*; restore it, or remove it$/;
  await expect(archiveId(createFileNotes(folder))).rejects.toThrow(says);
});
