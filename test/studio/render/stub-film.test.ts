import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aspectRatios } from '../../../domain/brief.js';
import { type FilmSpec, renderFilm } from '../../../studio/render/render.js';
import { probeFilm } from './probe-film.js';

describe('stub', { timeout: 60_000 }, () => {
  let folder: string;
  let stubCacheFolder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stub-'));
    stubCacheFolder = join(folder, 'cache');
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function stub(name: string, change: Partial<FilmSpec> = {}) {
    const outFolder = join(folder, name);
    await mkdir(outFolder);
    const spec: FilmSpec = {
      prompt: `Brief of ${name}`,
      durationSeconds: 7,
      aspectRatio: '16:9',
      style: null,
      references: [],
      preset: 'stub',
      outFolder,
      ...change,
    };
    return renderFilm(spec, { stubCacheFolder });
  }

  test.each(aspectRatios)('of %s is a valid film of the exact length and ratio', async (aspectRatio) => {
    const [video] = await stub('one', { aspectRatio });
    const facts = await probeFilm(video?.path ?? '');
    expect(facts).toMatchObject({ videoCodec: 'avc', audioCodec: 'aac', durationSeconds: 7, videoSeconds: 7 });
    expect(facts).toMatchObject({ width: video?.width, height: video?.height });
    const [across, down] = aspectRatio.split(':').map(Number);
    expect(facts.width * (down ?? 0)).toBe(facts.height * (across ?? 0));
    expect((await stat(video?.path ?? '')).size).toBeLessThan(100_000);
  });

  test('many jobs at once share one rendering, and each has its own files', async () => {
    const jobs = await Promise.all(Array.from({ length: 40 }, (_, index) => stub(`job-${index}`)));
    expect(await readdir(stubCacheFolder)).toHaveLength(1);
    await truncate(jobs[0]?.[0]?.path ?? '', 0);
    const [kept, later] = [jobs[1]?.[0]?.path ?? '', (await stub('later'))[0]?.path ?? ''];
    expect((await readFile(kept)).length).toBeGreaterThan(0);
    expect(await readFile(later)).toEqual(await readFile(kept));
  });

  test('lengths, ratios and faults are kept apart', async () => {
    await stub('a');
    await stub('b', { durationSeconds: 8 });
    await stub('c', { fault: 'silent' });
    expect(await readdir(stubCacheFolder)).toHaveLength(3);
  });
});
