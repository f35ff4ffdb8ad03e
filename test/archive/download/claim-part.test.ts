import { mkdtemp, open, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claimPart } from '../../../archive/download/claim-part.js';
import { openPartFile } from '../../../archive/download/part-file.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenlight-claim-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function claim(assetId: string): Promise<string> {
  return claimPart({ path: folder, prefix: '.unfinished-', entries: await readdir(folder) }, assetId);
}

async function receive(part: string, text: string, etag: string | null = '"1"'): Promise<void> {
  const file = await openPartFile(part);
  if (file.sizeBytes === 0) await file.restart({ etag, totalBytes: 100 });
  await file.append(Buffer.from(text));
  await file.keep();
}

test('the first claim begins with nothing', async () => {
  const part = await claim('asset_1');
  expect(await readdir(folder)).toEqual([]);
  const file = await openPartFile(part);
  expect(file.sizeBytes).toBe(0);
  await file.keep();
});

test('a later claim goes on from what was kept, and leaves one part', async () => {
  await receive(await claim('asset_1'), 'hello ');
  const part = await claim('asset_1');
  const file = await openPartFile(part);
  expect(file.sizeBytes).toBe(6);
  expect(file.representation).toMatchObject({ etag: '"1"', totalBytes: 100 });
  await file.append(Buffer.from('world'));
  expect(await file.finish()).toEqual({
    sha256: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
    sizeBytes: 11,
  });
  expect((await readdir(folder)).map((name) => join(folder, name))).toEqual([part]);
});

test('the most complete of several parts is gone on with', async () => {
  await receive(await claim('asset_1'), 'much of it');
  const [name = ''] = (await readdir(folder)).filter((entry) => entry.endsWith('.part'));
  // As another attempt leaves it: the same asset, another mark.
  await receive(join(folder, name.replace(/\.[^.]+\.part$/, '.another.part')), 'a');
  const part = await claim('asset_1');
  expect(await readFile(part, 'utf8')).toBe('much of it');
  expect(await readdir(folder)).toHaveLength(2);
});

test('parts of other assets, whatever their ids, are left alone', async () => {
  const ids = ['asset_1', 'asset_10', 'asset_../../x', 'asset_1.part', 'asset_/'];
  for (const id of ids) await receive(await claim(id), id);
  for (const id of ids) expect(await readFile(await claim(id), 'utf8')).toBe(id);
});

test('a part without a tag cannot be gone on with, and is cleared away', async () => {
  await receive(await claim('asset_1'), 'hello', null);
  expect(await readdir(folder)).toHaveLength(1);
  await claim('asset_1');
  expect(await readdir(folder)).toEqual([]);
});

test('a writer that was given up cannot reach the bytes of its successor', async () => {
  const old = await claim('asset_1');
  await receive(old, 'good');
  const zombie = await open(old, 'r+');
  try {
    const mine = await claim('asset_1');
    await zombie.write(Buffer.from('EVIL'), 0, 4, 0);
    expect(await readFile(mine, 'utf8')).toBe('good');
  } finally {
    await zombie.close();
  }
});
