import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verifyDelivered } from '../../../cli/flow/verify-delivered.js';

let root: string;
let folder: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'greenlight-delivered-'));
  folder = join(root, 'spring-1');
  await delivered('spring-1', ['hero', 'teaser']);
});
afterEach(() => rm(root, { recursive: true, force: true }));

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** A batch as its archive keeps it: films with their records, results and a certificate. */
async function delivered(batch: string, rows: readonly string[]): Promise<void> {
  const movies = [];
  for (const row of rows) {
    await mkdir(join(root, batch, row), { recursive: true });
    const film = `film of ${row}`;
    await writeFile(join(root, batch, row, 'final.mp4'), film);
    await record(batch, row, film);
    const files = [{ path: `${batch}/${row}/final.mp4`, type: 'final_video', size_bytes: 1, sha256: hashOf(film) }];
    movies.push({ id: row, movie_id: `movie_${row}`, state: 'delivered', files });
  }
  // A movie that an earlier batch delivered lies there.
  const earlier = [{ path: 'spring-0/old/final.mp4', type: 'final_video', size_bytes: 1, sha256: hashOf('old') }];
  movies.push({ id: 'old', movie_id: 'movie_old', state: 'unchanged', files: earlier });
  await writeFile(join(root, batch, 'results.jsonl'), '{}\n');
  await writeFile(join(root, batch, 'certificate.json'), JSON.stringify({ batch, movies }));
}

async function record(batch: string, row: string, film: string): Promise<void> {
  const file = { asset_id: 'asset_1', type: 'final_video', path: 'final.mp4', size_bytes: film.length };
  const files = [{ ...file, sha256: hashOf(film), mime_type: 'video/mp4' }];
  const stored = { movie_id: `movie_${row}`, verdict: 'as ordered', measured: null, files };
  await writeFile(join(root, batch, row, 'movie.json'), JSON.stringify(stored));
}

/** Paths that are not as delivered, and how many are. */
async function verified(of: string): Promise<{ readonly intact: number; readonly bad: readonly string[] }> {
  const bad: string[] = [];
  let intact = 0;
  for await (const { path, expected, actual } of verifyDelivered(of)) {
    if (expected === actual) intact += 1;
    else
      bad.push(
        `${path} ${actual === null ? `lacks ${/^[0-9a-f]{64}$/.test(expected) ? 'bytes' : expected}` : 'differs'}`,
      );
  }
  return { intact, bad: bad.toSorted() };
}

describe('a folder of movies', () => {
  test('is whole, also renamed, and as one of many in an archive', async () => {
    expect(await verified(folder)).toEqual({ intact: 2, bad: [] });
    await delivered('summer-1', ['sea']);
    expect(await verified(root)).toEqual({ intact: 3, bad: [] });
    await rename(folder, join(root, 'for the team'));
    expect(await verified(join(root, 'for the team'))).toEqual({ intact: 2, bad: [] });
  });

  test.each<[string, () => Promise<unknown>, readonly string[]]>([
    [
      'a whole movie is gone',
      () => rm(join(folder, 'hero'), { recursive: true }),
      ['hero/final.mp4 lacks bytes', 'hero/movie.json lacks the file'],
    ],
    ['a film is gone', () => rm(join(folder, 'hero/final.mp4')), ['hero/final.mp4 lacks bytes']],
    ['a record is gone', () => rm(join(folder, 'hero/movie.json')), ['hero/movie.json lacks the file']],
    [
      'a record is cut',
      () => writeFile(join(folder, 'hero/movie.json'), '{'),
      ['hero/movie.json lacks a readable record'],
    ],
    ['a film is another', () => writeFile(join(folder, 'hero/final.mp4'), 'x'), ['hero/final.mp4 differs']],
    [
      'a film and its record are another',
      async () => {
        await writeFile(join(folder, 'hero/final.mp4'), 'x');
        await record('spring-1', 'hero', 'x');
      },
      ['hero/final.mp4 differs'],
    ],
    ['the certificate is gone', () => rm(join(folder, 'certificate.json')), ['certificate.json lacks the file']],
    [
      'the certificate is cut',
      () => writeFile(join(folder, 'certificate.json'), '{"batch":'),
      ['certificate.json lacks a readable record'],
    ],
  ])('is told when %s', async (_, damage, bad) => {
    await damage();
    expect((await verified(folder)).bad).toEqual(bad);
    expect((await verified(root)).bad).toEqual(bad.map((line) => `spring-1/${line}`));
  });
});
