import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aspectRatios } from '../../../domain/brief.js';
import { frameSize } from '../../../studio/render/frame-size.js';
import { type FilmSpec, type RenderProgress, renderFilm } from '../../../studio/render/render.js';
import { probeFilm } from './probe-film.js';

describe('renderFilm', { timeout: 60_000 }, () => {
  let outFolder: string;
  beforeEach(async () => {
    outFolder = await mkdtemp(join(tmpdir(), 'film-'));
  });
  afterEach(() => rm(outFolder, { recursive: true }));

  const brief = (change: Partial<FilmSpec> = {}): FilmSpec => ({
    prompt: 'A red kite climbs over the dunes. The sea answers with light.',
    durationSeconds: 5,
    aspectRatio: '16:9',
    style: null,
    references: [],
    preset: 'draft',
    outFolder,
    ...change,
  });

  test.each(aspectRatios)(
    'draft of %s is H.264 and AAC, tagged BT.709, of the exact length and ratio',
    async (aspectRatio) => {
      const [video] = await renderFilm(brief({ aspectRatio, durationSeconds: 6 }));
      const facts = await probeFilm(video?.path ?? '');
      const { width, height, framesPerSecond } = frameSize('draft', aspectRatio);
      expect(facts).toMatchObject({
        width,
        height,
        videoCodec: 'avc',
        audioCodec: 'aac',
        channels: 2,
        sampleRate: 48_000,
        durationSeconds: 6,
        videoSeconds: 6,
        audioSeconds: 6,
        frames: 6 * framesPerSecond,
        colour: { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false },
      });
      const [across, down] = aspectRatio.split(':').map(Number);
      expect(facts.width * (down ?? 0)).toBe(facts.height * (across ?? 0));
    },
  );

  test('film, poster, storyboard and captions are listed in that order and nothing else stays', async () => {
    const files = await renderFilm(brief());
    expect(files.map(({ type }) => type)).toEqual(['final_video', 'poster', 'storyboard', 'captions']);
    expect((await readdir(outFolder)).sort()).toEqual(files.map(({ path }) => basename(path)).sort());
    for (const { path } of files) expect((await stat(path)).size).toBeGreaterThan(0);
  });

  test('index comes before the media, so that a browser can start at once', async () => {
    const [video] = await renderFilm(brief());
    const bytes = await readFile(video?.path ?? '');
    expect(bytes.indexOf('moov')).toBeGreaterThan(0);
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
  });

  test('the same spec gives the same bytes', async () => {
    const bytesOf = async () => Promise.all((await renderFilm(brief())).map(({ path }) => readFile(path)));
    const first = await bytesOf();
    const second = await bytesOf();
    expect(first.map((bytes, index) => bytes.equals(second[index] ?? Buffer.of()))).toEqual([true, true, true, true]);
  });

  test('progress starts at planning, passes every stage and never goes back', async () => {
    const seen: RenderProgress[] = [];
    await renderFilm(brief(), { onProgress: (progress) => seen.push(progress) });
    expect([...new Set(seen.map(({ stage }) => stage))]).toEqual(['planning', 'generating', 'rendering']);
    const percents = seen.map(({ percent }) => percent);
    expect(percents).toEqual([...percents].sort((a, b) => a - b));
  });

  test('an abort rejects with its reason and leaves no part behind', async () => {
    const abort = new AbortController();
    const reason = new Error('canceled by a person');
    const film = renderFilm(brief({ durationSeconds: 60 }), {
      signal: abort.signal,
      onProgress: ({ stage }) => stage === 'rendering' && abort.abort(reason),
    });
    await expect(film).rejects.toBe(reason);
    expect(await readdir(outFolder)).toEqual([]);
  });

  test('an abort before the start starts nothing', async () => {
    await expect(renderFilm(brief(), { signal: AbortSignal.abort(new Error('too late')) })).rejects.toThrow('too late');
    expect(await readdir(outFolder)).toEqual([]);
  });

  test('a folder that cannot be written to fails the film in words', async () => {
    await expect(renderFilm(brief({ outFolder: join(outFolder, 'missing') }))).rejects.toThrow(/No such file/i);
  });
});
