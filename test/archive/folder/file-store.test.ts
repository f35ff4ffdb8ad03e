import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ArchiveStore, Content } from '../../../archive/archive-store.js';
import { createFileStore } from '../../../archive/folder/file-store.js';
import { describeArchiveStore } from '../archive-store.case.js';
import { smallDisk } from '../small-disk.js';

describeArchiveStore('a folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'greenlight-store-'));
  return { store: await createFileStore(folder), remove: () => rm(folder, { recursive: true, force: true }) };
});

describe('a folder', () => {
  let outside: string;
  let folder: string;
  const releases: (() => Promise<unknown>)[] = [];
  beforeEach(async () => {
    outside = await mkdtemp(join(tmpdir(), 'greenlight-store-'));
    folder = join(outside, 'archive');
    releases.push(() => rm(outside, { recursive: true, force: true }));
  });
  afterEach(async () => {
    for (const release of releases.splice(0).reverse()) await release();
  });

  const content = { sha256: '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881', sizeBytes: 1 };
  async function publish(store: ArchiveStore, path: string, file: string, of: Content = content) {
    return (await store.openFolder(dirname(path))).publish(basename(path), file, of);
  }
  async function writeText(store: ArchiveStore, path: string, text: string) {
    return (await store.openFolder(dirname(path))).writeText(basename(path), text);
  }
  async function film(): Promise<string> {
    const file = join(outside, 'film');
    await writeFile(file, 'x');
    return file;
  }

  test('is made when it is not there, and named by its real place', async () => {
    await mkdir(folder);
    await symlink(folder, join(outside, 'link'));
    const store = await createFileStore(join(outside, 'link'));
    expect(store.url).toBe(pathToFileURL(folder).href);
    await createFileStore(join(outside, 'a', 'b', 'c'));
    expect(await readdir(join(outside, 'a', 'b'))).toEqual(['c']);
  });

  test.each([
    { name: 'a batch folder', place: 'batch-1' },
    { name: 'a row folder', place: 'batch-1/row' },
  ])('refuses $name that is a link out of the archive, and makes nothing beyond it', async ({ place }) => {
    const store = await createFileStore(folder);
    const elsewhere = join(outside, 'elsewhere');
    await mkdir(elsewhere);
    await mkdir(join(folder, place, '..'), { recursive: true });
    await symlink(elsewhere, join(folder, place));
    const refused = { name: 'StorageError', message: expect.stringContaining('a link leads out of the archive') };
    await expect(publish(store, 'batch-1/row/final.mp4', await film(), content)).rejects.toMatchObject(refused);
    await expect(writeText(store, 'batch-1/row/movie.json', '{}')).rejects.toMatchObject(refused);
    expect(await readdir(elsewhere)).toEqual([]);

    await mkdir(join(elsewhere, 'row'));
    await writeFile(join(elsewhere, 'secret'), 'x');
    await writeFile(join(elsewhere, 'row', 'secret'), 'x');
    await expect(store.open('batch-1/row/secret')).rejects.toMatchObject(refused);
    await expect(store.stat('batch-1/row/secret')).rejects.toMatchObject(refused);
  });

  test('does not write or read through a file name that is a link', async () => {
    const store = await createFileStore(folder);
    const target = join(outside, 'target');
    await writeFile(target, 'x');
    await mkdir(join(folder, 'batch-1'));
    await symlink(target, join(folder, 'batch-1', 'final.mp4'));
    await symlink(join(outside, 'not-there'), join(folder, 'batch-1', 'movie.json'));
    expect(await publish(store, 'batch-1/final.mp4', await film(), content)).toBe('taken');
    expect(await writeText(store, 'batch-1/movie.json', '{}')).toBe('taken');
    expect(await readFile(target, 'utf8')).toBe('x');
    expect(await readdir(outside)).not.toContain('not-there');
    await expect(store.open('batch-1/final.mp4')).rejects.toMatchObject({ name: 'StorageError' });
    expect(await store.list('batch-1')).toEqual([]);
  });

  test('goes along with links that stay within it', async () => {
    const store = await createFileStore(folder);
    await mkdir(join(folder, 'disk2'));
    await symlink(join(folder, 'disk2'), join(folder, 'batch-1'));
    expect(await publish(store, 'batch-1/row/final.mp4', await film(), content)).toBe('published');
    expect(await store.stat('batch-1/row/final.mp4')).toEqual({ sizeBytes: 1 });
  });

  test('says which folder cannot be used, and why', async () => {
    await writeFile(folder, 'a file in the way');
    await expect(createFileStore(folder)).rejects.toMatchObject({ name: 'StorageError' });
    await expect(createFileStore(join(folder, 'deeper'))).rejects.toMatchObject({
      name: 'StorageError',
      code: 'ENOTDIR',
      message: `Cannot use "${join(folder, 'deeper')}" as archive: part of the path is not a folder (ENOTDIR)`,
    });
  });

  test('says that a file is in the way of a batch', async () => {
    const store = await createFileStore(folder);
    await writeFile(join(folder, 'batch-1'), 'a file in the way');
    await expect(publish(store, 'batch-1/row/final.mp4', await film(), content)).rejects.toMatchObject({
      name: 'StorageError',
      message: expect.stringMatching(/^Cannot open "batch-1\/row" in ".*": part of the path is not a folder/),
    });
  });

  test('says that it is gone', async () => {
    const store = await createFileStore(folder);
    await rm(folder, { recursive: true });
    await expect(publish(store, 'batch-1/row/final.mp4', await film(), content)).rejects.toMatchObject({
      name: 'StorageError',
      code: 'ENOENT',
    });
  });

  test('a file that the disk does not take is removed, so that no later attempt trusts what memory still holds', async () => {
    const opened = await (await createFileStore(folder)).openFolder('batch/row');
    const [taken, refused] = [join(opened.work.path, '.unfinished-1'), join(opened.work.path, '.unfinished-2')];
    await writeFile(taken, 'x');
    await symlink('/dev/null', refused); // no disk behind it: syncing fails
    await expect(opened.confirm([taken, refused])).rejects.toMatchObject({ name: 'StorageError', code: 'EINVAL' });
    expect(await readdir(opened.work.path)).toEqual(['.unfinished-1']);
  });

  test('publishes from another disk by a copy', async ({ skip }) => {
    const disk = await smallDisk(join(outside, 'disk'), 64 * 1024);
    if (!disk) return skip('a small disk can be mounted by root only');
    releases.push(disk.unmount);
    const file = join(outside, 'disk', 'film');
    await writeFile(file, 'x');
    const store = await createFileStore(folder);
    expect(await publish(store, 'batch-1/row/final.mp4', file, content)).toBe('published');
    expect(await publish(store, 'batch-1/row/final.mp4', file, content)).toBe('already there');
    await writeFile(file, 'y');
    expect(await publish(store, 'batch-1/row/final.mp4', file, { ...content, sha256: 'other' })).toBe('taken');
    expect(await readFile(join(folder, 'batch-1', 'row', 'final.mp4'), 'utf8')).toBe('x');
    expect((await store.openFolder('batch-1/row')).work.entries).toEqual([]);
  });

  test('a full disk is named, and leaves no half file under a name', async ({ skip }) => {
    const disk = await smallDisk(join(outside, 'disk'), 64 * 1024);
    if (!disk) return skip('a small disk can be mounted by root only');
    releases.push(disk.unmount);
    const store = await createFileStore(join(outside, 'disk', 'archive'));
    await expect(writeText(store, 'batch-1/row/movie.json', 'x'.repeat(128 * 1024))).rejects.toMatchObject({
      name: 'StorageError',
      code: 'ENOSPC',
      message: expect.stringMatching(/^Cannot save ".*\/batch-1\/row\/movie\.json": the disk is full \(ENOSPC\)$/),
    });
    expect(await store.list('batch-1')).toEqual([]);
    expect(await writeText(store, 'batch-1/row/movie.json', '{}')).toBe('published');
  });
});
