import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent } from 'undici';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ArchiveJob, archiveMovie } from '../../archive/archive-movie.js';
import type { ArchiveStore } from '../../archive/archive-store.js';
import { createFileStore } from '../../archive/folder/file-store.js';
import type { ArchivedFile } from '../../archive/movie-record.js';
import { type VerifiedFile, verifyFiles, verifyFolder } from '../../archive/verify.js';
import { type MovieService, movieService } from './movie-service.js';
import { someOrder } from './ordered-content.js';

let folder: string;
let store: ArchiveStore;
let service: MovieService;
let dispatcher: Agent;
let files: readonly ArchivedFile[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenlight-verify-'));
  store = await createFileStore(join(folder, 'out'));
  service = await movieService();
  dispatcher = new Agent();
  files = [];
  for (const row of ['hero', 'teaser']) {
    const job: ArchiveJob = {
      folder: `spring-1/${row}`,
      movieId: `movie_${row}`,
      asked: { durationSeconds: 5, aspectRatio: '16:9' },
      order: someOrder,
      brief: {},
      times: {},
    };
    const archived = await archiveMovie({ store, listAssets: service.listAssets, clock: Date.now, dispatcher }, job);
    files = [...files, ...(archived.files ?? [])];
  }
});
afterEach(async () => {
  await dispatcher.destroy();
  await service.files.close();
  await rm(folder, { recursive: true, force: true });
});

async function all(verified: AsyncIterable<VerifiedFile>): Promise<VerifiedFile[]> {
  const found: VerifiedFile[] = [];
  for await (const file of verified) found.push(file);
  return found;
}

const differing = (verified: readonly VerifiedFile[]) => verified.filter(({ expected, actual }) => expected !== actual);

test('an untouched archive is intact, by its own records and by any list of hashes', async () => {
  const byRecords = await all(verifyFolder(join(folder, 'out')));
  const byList = await all(verifyFiles(store, files));
  expect(byRecords).toHaveLength(8);
  expect(differing(byRecords)).toEqual([]);
  expect(byList.toSorted(byPath)).toEqual(byRecords.toSorted(byPath));
});

function byPath(one: VerifiedFile, other: VerifiedFile): number {
  return one.path < other.path ? -1 : 1;
}

test('changed, missing and replaced files are named', async () => {
  await writeFile(join(folder, 'out/spring-1/hero/poster.jpg'), 'a Poster');
  await rm(join(folder, 'out/spring-1/teaser/final.mp4'));
  const expected = [
    { path: 'spring-1/hero/poster.jpg', actual: expect.stringMatching(/^[0-9a-f]{64}$/) },
    { path: 'spring-1/teaser/final.mp4', actual: null },
  ];
  const byRecords = differing(await all(verifyFolder(join(folder, 'out'))));
  const byList = differing(await all(verifyFiles(store, files)));
  expect(byRecords).toMatchObject(expected);
  expect(byList).toMatchObject(expected);
});

test('a folder that was moved is still verified, and so is a part of it', async () => {
  await cp(join(folder, 'out/spring-1/hero'), join(folder, 'elsewhere'), { recursive: true });
  const verified = await all(verifyFolder(join(folder, 'elsewhere')));
  expect(verified.map(({ path }) => path)).toEqual(['final.mp4', 'poster.jpg', 'storyboard.jpg', 'captions.vtt']);
  expect(differing(verified)).toEqual([]);
});

test.each([
  ['cut short', '{"movie_id":"movie_hero","files":['],
  [
    'that leads out of its folder',
    `{"movie_id":"m","verdict":"as ordered","measured":null,"files":[{"asset_id":"a","type":"t","path":"../../../etc/passwd","size_bytes":1,"sha256":"${'a'.repeat(64)}","mime_type":null}]}`,
  ],
])('a record %s counts as damaged', async (_, content) => {
  await writeFile(join(folder, 'out/spring-1/hero/movie.json'), content);
  expect(differing(await all(verifyFolder(join(folder, 'out'))))).toEqual([
    { path: 'spring-1/hero/movie.json', expected: 'a readable record', actual: null },
  ]);
});

test('a folder without records has nothing to verify, and one that is not there is an error', async () => {
  await rm(join(folder, 'out'), { recursive: true });
  await expect(all(verifyFolder(join(folder, 'out')))).rejects.toMatchObject({ name: 'StorageError', code: 'ENOENT' });
  expect(await all(verifyFolder(folder))).toEqual([]);
});
