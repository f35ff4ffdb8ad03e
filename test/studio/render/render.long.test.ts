import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { loadImage } from '@napi-rs/canvas';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aspectRatios } from '../../../domain/brief.js';
import { frameSize } from '../../../studio/render/frame-size.js';
import { loadMediaTool } from '../../../studio/render/media/media-tool.js';
import { type FilmReference, type FilmSpec, type RenderProgress, renderFilm } from '../../../studio/render/render.js';
import { probeFilm } from './probe-film.js';
import { samplePdf, samplePicture, sampleSound } from './reference/sample-files.js';

describe('renderFilm', { timeout: 120_000 }, () => {
  let outFolder: string;
  let references: string;
  beforeEach(async () => {
    outFolder = await mkdtemp(join(tmpdir(), 'film-'));
    references = await mkdtemp(join(tmpdir(), 'film-references-'));
  });
  afterEach(async () => {
    for (const folder of [outFolder, references]) await rm(folder, { recursive: true });
  });

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

  test('a black film has no light, a silent one no sound, and both are otherwise whole', async () => {
    const tool = await loadMediaTool();
    const lightAndSound = async (fault?: 'black' | 'silent') => {
      const [video] = await renderFilm(brief({ ...(fault && { fault }) }));
      const source = { path: video?.path ?? '', demuxer: 'mov' };
      const stills = await tool.readStills(source, { moments: [1, 3], largestSide: 64 });
      const { left } = await tool.readSound(source, { maxSeconds: 5 });
      expect(await probeFilm(source.path)).toMatchObject({ durationSeconds: 5, audioCodec: 'aac' });
      const brightest = Math.max(...stills.flatMap(({ rgba }) => [...rgba.filter((_, index) => index % 4 < 3)]));
      return { brightest, loudest: left.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0) };
    };
    const [right, black, silent] = [await lightAndSound(), await lightAndSound('black'), await lightAndSound('silent')];
    expect(right.brightest).toBeGreaterThan(150);
    expect(right.loudest).toBeGreaterThan(0.2);
    expect(black.brightest).toBeLessThan(8);
    expect(black.loudest).toBeGreaterThan(0.2);
    expect(silent.brightest).toBeGreaterThan(150);
    expect(silent.loudest).toBeLessThan(0.001);
  });

  test('says in the file what it is, and puts every word of the brief into the captions', async () => {
    const prompt = 'Ein roter Drache & <sein> Faden. '.repeat(30).trim();
    const [video, , , captions] = await renderFilm(brief({ prompt }));
    const { tags } = await probeFilm(video?.path ?? '');
    expect(tags).toMatchObject({ comment: 'Animatic, made without a generative model' });
    const file = await readFile(captions?.path ?? '', 'utf8');
    const words = file.split('\n').filter((line) => line !== '' && line !== 'WEBVTT' && !line.includes(' --> '));
    const unescaped = words.join(' ').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
    expect(unescaped.split(/\s+/)).toEqual(prompt.split(/\s+/));
  });

  test('poster has the size of the film, the storyboard is a sheet of its own', async () => {
    const [, poster, storyboard] = await renderFilm(brief({ aspectRatio: '9:16' }));
    for (const picture of [poster, storyboard]) {
      const image = await loadImage(await readFile(picture?.path ?? ''));
      expect([image.width, image.height]).toEqual([picture?.width, picture?.height]);
    }
    expect([poster?.width, poster?.height]).toEqual([180, 320]);
  });

  test('references of every kind end up in the film', async () => {
    const file = async (name: string, content: Buffer | string) => {
      await writeFile(join(references, name), content);
      return join(references, name);
    };
    const [clip] = await renderFilm(brief());
    const common = { description: null };
    const list: FilmReference[] = [
      { ...common, role: 'product', mimeType: 'image/png', path: await file('p', samplePicture(60, 90)) },
      { ...common, role: 'location', mimeType: 'image/jpeg', path: await file('l', samplePicture(900, 600, 'jpeg')) },
      { ...common, role: 'style', mimeType: 'image/webp', path: await file('s', samplePicture(40, 40, 'webp')) },
      { ...common, role: 'audio', mimeType: 'audio/wav', path: await file('a', sampleSound(2)) },
      { ...common, role: 'document', mimeType: 'application/pdf', path: await file('d', samplePdf('The brief')) },
      { ...common, role: 'other', mimeType: 'text/plain', path: await file('t', 'Notes\nfor the film') },
      { ...common, role: 'other', mimeType: 'video/mp4', path: await file('v', await readFile(clip?.path ?? '')) },
      {
        role: 'character',
        mimeType: 'image/avif',
        path: await file('c', samplePicture(80, 80, 'avif')),
        description: 'Mara',
      },
    ];
    const [video] = await renderFilm(brief({ references: list, durationSeconds: 8 }));
    expect(await probeFilm(video?.path ?? '')).toMatchObject({ durationSeconds: 8, videoCodec: 'avc' });
  });

  test('a damaged reference fails the film and is named', async () => {
    const path = join(references, 'broken');
    await writeFile(path, samplePicture(400, 300).subarray(0, 50));
    const damaged: FilmReference = { path, mimeType: 'image/png', role: 'product', description: null };
    await expect(renderFilm(brief({ references: [damaged] }))).rejects.toThrow(
      'Cannot use reference 1 (product, image/png)',
    );
    expect(await readdir(outFolder)).toEqual([]);
  });
});
