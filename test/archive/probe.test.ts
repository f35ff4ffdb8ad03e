import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { probeMovie } from '../../archive/probe.js';
import { film } from './film.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenlight-probe-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('length, picture and codecs are read from bytes and from a file alike', async () => {
  const bytes = await film({ width: 720, height: 1280, durationSeconds: 7.3, audioSeconds: 7 });
  const file = join(folder, 'film.mp4');
  await writeFile(file, bytes);
  for (const source of [bytes, file]) {
    expect(await probeMovie(source)).toEqual({
      container: 'MP4',
      videoCodec: 'avc',
      audioCodec: 'aac',
      width: 720,
      height: 1280,
      durationSeconds: expect.closeTo(7.3, 3),
    });
  }
});

test('a playlist is no movie, whatever lies beside it', async () => {
  const file = join(folder, 'final.mp4');
  await writeFile(join(folder, 'another.mp4'), await film({ durationSeconds: 5 }));
  const head = ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-TARGETDURATION:6', '#EXT-X-PLAYLIST-TYPE:VOD'];
  await writeFile(file, [...head, '#EXTINF:5.0,', 'another.mp4', '#EXT-X-ENDLIST', ''].join('\n'));
  expect(await probeMovie(file)).toBeNull();
});

test('a silent movie has no audio codec', async () => {
  expect(await probeMovie(await film())).toMatchObject({ audioCodec: null, durationSeconds: 5 });
});

test('a picture that is shown turned is measured turned', async () => {
  expect(await probeMovie(await film({ width: 320, height: 180, rotation: 90 }))).toMatchObject({
    width: 180,
    height: 320,
  });
});

test('sound that goes on longer than the picture counts', async () => {
  const probed = await probeMovie(await film({ durationSeconds: 5, audioSeconds: 9 }));
  expect(probed?.durationSeconds).toBeCloseTo(9, 0);
});

test.each([1, 10, 1_000])('a movie whose last %i bytes are missing cannot be read', async (missing) => {
  const bytes = await film({ pictureBytes: 500 });
  expect(await probeMovie(bytes.subarray(0, bytes.length - missing))).toBeNull();
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['zeros', Buffer.alloc(10_000)],
  ['a page', Buffer.from('<!doctype html><title>Log in</title>')],
  [
    'a picture',
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
      'base64',
    ),
  ],
])('%s cannot be read as a movie', async (_, bytes) => {
  expect(await probeMovie(bytes)).toBeNull();
  const file = join(folder, 'film.mp4');
  await writeFile(file, bytes);
  expect(await probeMovie(file)).toBeNull();
});

test('a file that cannot be opened is a fault of the disk, not of the movie', async () => {
  await expect(probeMovie(join(folder, 'missing.mp4'))).rejects.toMatchObject({ name: 'StorageError', code: 'ENOENT' });
});
