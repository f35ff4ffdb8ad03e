import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ArchiveStore, Content } from '../../archive/archive-store.js';

/** A store to test, and how to get rid of it. */
export interface StoreUnderTest {
  readonly store: ArchiveStore;
  readonly remove: () => Promise<void>;
}

function contentOf(body: string): Content {
  return { sha256: createHash('sha256').update(body).digest('hex'), sizeBytes: Buffer.byteLength(body) };
}

/** What any store must do, whatever keeps its files. */
export function describeArchiveStore(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`${name} as an archive store`, () => {
    let store: ArchiveStore;
    let remove: () => Promise<void>;
    let source: string;
    beforeEach(async () => {
      ({ store, remove } = await open());
      source = await mkdtemp(join(tmpdir(), 'greenlight-source-'));
    });
    afterEach(async () => {
      await rm(source, { recursive: true });
      await remove();
    });

    async function publish(path: string, body: string) {
      const file = join(source, `file-${Math.random()}`);
      await writeFile(file, body);
      return (await store.openFolder(dirname(path))).publish(basename(path), file, contentOf(body));
    }
    async function writeText(path: string, body: string) {
      return (await store.openFolder(dirname(path))).writeText(basename(path), body);
    }
    const read = async (path: string) => text(await store.open(path));

    test('gives back what was published', async () => {
      expect(await publish('batch-1/row/final.mp4', 'film')).toBe('published');
      expect(await read('batch-1/row/final.mp4')).toBe('film');
      expect(await store.stat('batch-1/row/final.mp4')).toEqual({ sizeBytes: 4 });
      await (await store.openFolder('batch-1/row')).sync();
    });

    test('gives part of a file', async () => {
      await publish('batch-1/row/final.mp4', '0123456789');
      const part = (start: number, end: number) => store.open('batch-1/row/final.mp4', { start, end });
      expect(await text(await part(2, 4))).toBe('234');
      expect(await text(await part(8, 99))).toBe('89');
    });

    test('says that a file is not there to be read', async () => {
      await expect(store.open('batch-1/row/final.mp4')).rejects.toMatchObject({ name: 'StorageError' });
    });

    test('can be written', async () => {
      await store.check();
      expect(await store.folders()).toEqual([]);
    });

    test('takes the same content again', async () => {
      await publish('batch-1/row/final.mp4', 'film');
      expect(await publish('batch-1/row/final.mp4', 'film')).toBe('already there');
      expect(await writeText('batch-1/row/movie.json', '{}')).toBe('published');
      expect(await writeText('batch-1/row/movie.json', '{}')).toBe('already there');
    });

    test.each(['mlif', 'longer film'])('leaves other content alone (%s)', async (other) => {
      await publish('batch-1/row/final.mp4', 'film');
      expect(await publish('batch-1/row/final.mp4', other)).toBe('taken');
      expect(await writeText('batch-1/row/final.mp4', other)).toBe('taken');
      expect(await read('batch-1/row/final.mp4')).toBe('film');
    });

    test('gives a name to one of many who want it at once', async () => {
      const bodies = Array.from({ length: 20 }, (_, n) => `film ${n}`);
      const results = await Promise.all(bodies.map((body) => publish('batch-1/row/final.mp4', body)));
      expect(results.filter((result) => result === 'published')).toHaveLength(1);
      expect(results.filter((result) => result === 'taken')).toHaveLength(19);
      expect(await read('batch-1/row/final.mp4')).toBe(bodies[results.indexOf('published')]);
    });

    test('writes text as UTF-8', async () => {
      await writeText('batch-1/row/movie.json', 'Café 🐦');
      expect(await read('batch-1/row/movie.json')).toBe('Café 🐦');
      expect(await store.stat('batch-1/row/movie.json')).toEqual({ sizeBytes: 10 });
    });

    test('lists files below a folder, and nothing unfinished', async () => {
      await publish('batch-1/row/poster.jpg', 'p');
      await publish('batch-1/row/final.mp4', 'f');
      await publish('batch-1/other/final.mp4', 'g');
      await publish('batch-12/row/final.mp4', 'h');
      expect(await store.list('batch-1')).toEqual([
        'batch-1/other/final.mp4',
        'batch-1/row/final.mp4',
        'batch-1/row/poster.jpg',
      ]);
      expect(await store.list('batch-1/row')).toEqual(['batch-1/row/final.mp4', 'batch-1/row/poster.jpg']);
      expect(await store.list('batch-2')).toEqual([]);
    });

    test('names the folders right below one', async () => {
      expect(await store.folders()).toEqual([]);
      await publish('batch-1/row/final.mp4', 'f');
      await publish('batch-1/other/final.mp4', 'g');
      await publish('batch-12/row/final.mp4', 'h');
      await writeText('batch-1/certificate.json', '{}');
      await store.notes.write('ledgers/one.json', '{}');
      expect(await store.folders()).toEqual(['batch-1', 'batch-12']);
      expect(await store.folders('batch-1')).toEqual(['batch-1/other', 'batch-1/row']);
      expect(await store.folders('batch-1/row')).toEqual([]);
      expect(await store.folders('batch-9')).toEqual([]);
    });

    test('keeps notes out of sight, the last that was written', async () => {
      const { notes } = store;
      expect(await notes.list('ledgers')).toEqual([]);
      expect(await notes.read('ledgers/one.json')).toBeNull();
      await notes.write('ledgers/one.json', '1');
      await notes.write('ledgers/one.json', 'Café');
      await notes.write('ledgers/two.json', '2');
      await notes.write('archive.json', 'its own');
      expect(await notes.list('ledgers')).toEqual(['ledgers/one.json', 'ledgers/two.json']);
      expect(await notes.read('ledgers/one.json')).toBe('Café');
      expect(await notes.read('archive.json')).toBe('its own');
      await notes.remove('ledgers/one.json');
      await notes.remove('ledgers/one.json');
      expect(await notes.list('ledgers')).toEqual(['ledgers/two.json']);
      expect(await store.list('ledgers')).toEqual([]);
    });

    test('a note that many would make at once is made by one', async () => {
      const { notes } = store;
      const made = await Promise.all(Array.from({ length: 10 }, (_, n) => notes.create('archive.json', `${n}`)));
      expect(made.filter((result) => result === 'created')).toHaveLength(1);
      expect(await notes.read('archive.json')).toBe(`${made.indexOf('created')}`);
      expect(await notes.create('archive.json', 'late')).toBe('taken');
    });

    test('says that nothing is there', async () => {
      await publish('batch-1/row/final.mp4', 'f');
      expect(await store.stat('batch-1/row/poster.jpg')).toBeNull();
      expect(await store.stat('batch-9/row/poster.jpg')).toBeNull();
      expect(await store.stat('batch-1/row/final.mp4/deeper')).toBeNull();
      expect(await store.stat('batch-1/row')).toBeNull();
    });

    test('keeps unfinished files out of sight until they are dropped, each folder its own', async () => {
      const [one, other] = [await store.openFolder('batch-1/row'), await store.openFolder('batch-1/row-2')];
      expect(one.work.entries).toEqual([]);
      for (const { work } of [one, other]) await writeFile(join(work.path, `${work.prefix}part`), 'x');
      expect(await store.list('batch-1')).toEqual([]);

      const again = await store.openFolder('batch-1/row');
      expect(again.work).toEqual({ ...one.work, entries: [`${one.work.prefix}part`] });
      await again.dropWork();
      await again.dropWork();
      expect((await store.openFolder('batch-1/row')).work.entries).toEqual([]);
      expect((await store.openFolder('batch-1/row-2')).work.entries).toHaveLength(1);
    });

    test('dropping the work leaves what was published', async () => {
      await publish('batch-1/row/final.mp4', 'film');
      await (await store.openFolder('batch-1/row')).dropWork();
      expect(await read('batch-1/row/final.mp4')).toBe('film');
    });

    test.each(['', '..', '../x', 'x/y', '/x', '.hidden', 'x\0', 'é'])('refuses the name %j', async (name) => {
      const folder = await store.openFolder('batch-1/row');
      await expect(folder.publish(name, join(source, 'x'), contentOf('x'))).rejects.toThrow(RangeError);
      await expect(folder.writeText(name, 'x')).rejects.toThrow(RangeError);
    });

    test.each([
      '',
      '/etc/passwd',
      '..',
      '../x',
      'batch-1/../../x',
      'batch-1//x',
      'batch-1/./x',
      'batch-1/.hidden',
      'batch-1/x/',
      'batch-1\\x',
      'C:\\x',
      'batch-1/x\0.mp4',
      'batch-1/x\n',
      'batch 1/x',
      'batch-1/é',
      `batch-1/${'x'.repeat(129)}`,
    ])('refuses the path %j before touching anything', async (path) => {
      const refused = { name: 'RangeError', message: expect.stringContaining('Cannot use archive path') };
      await expect(store.openFolder(path)).rejects.toMatchObject(refused);
      await expect(store.stat(path)).rejects.toMatchObject(refused);
      await expect(store.open(path)).rejects.toMatchObject(refused);
      await expect(store.list(path)).rejects.toMatchObject(refused);
    });
  });
}
