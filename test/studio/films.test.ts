import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Reference } from '../../api/contract.js';
import { type FilmSpec, probeReference, type RenderedFile, type RenderOptions } from '../../studio/render/render.js';
import type { Renderer } from '../../studio/render/renderer.js';
import { assetsOf, brief, openStudio, temporaryFolder, until } from './open-studio.js';

/** Notes what it is asked for, and writes one small file. */
function noting(whileRendering: (options: RenderOptions) => Promise<void> = async () => undefined) {
  const specs: FilmSpec[] = [];
  const renderer: Renderer = {
    probeReference,
    async renderFilm(spec, options = {}): Promise<readonly RenderedFile[]> {
      specs.push(spec);
      await whileRendering(options);
      const path = join(spec.outFolder, 'final.mp4');
      await writeFile(path, 'a film');
      return [
        {
          type: 'final_video',
          path,
          mimeType: 'video/mp4',
          width: 16,
          height: 9,
          durationSeconds: spec.durationSeconds,
        },
      ];
    },
  };
  return { renderer, specs };
}

test('the renderer is given the brief as it was ordered, and the references by role with their files', async () => {
  const { renderer, specs } = noting();
  const { call, create } = await openStudio({ renderer, render: 'film' });
  const form = new FormData();
  form.set('description', 'as given at upload');
  form.set('file', new Blob(['The boat is red.']), 'note.txt');
  const { id } = Reference.parse(await (await call('POST', '/references', { body: form })).json());
  const references = [
    { reference_id: id, role: 'document' },
    { reference_id: id, role: 'other', description: 'as given for this movie' },
  ];
  await create({ ...brief, aspect_ratio: '4:5', style: 'noir', references });
  await until(() => specs.length === 1);
  const [spec] = specs;
  expect(spec).toMatchObject({
    prompt: brief.prompt,
    durationSeconds: 5,
    aspectRatio: '4:5',
    style: 'noir',
    preset: 'film',
  });
  expect(spec?.references).toMatchObject([
    { role: 'document', description: 'as given at upload', mimeType: 'text/plain' },
    { role: 'other', description: 'as given for this movie', mimeType: 'text/plain' },
  ]);
  expect(await readFile(spec?.references[0]?.path ?? '', 'utf8')).toBe('The boat is red.');
});

test.each(['black', 'silent'] as const)('a %s film is asked for where a fault says so', async (wrong) => {
  const { renderer, specs } = noting();
  const faults = { rules: [{ effect: 'wrong_movie', wrong } as const] };
  const { create } = await openStudio({ renderer, render: 'draft', faults });
  await create();
  await until(() => specs.length === 1);
  expect(specs[0]?.fault).toBe(wrong);
});

test('stubs of one length and ratio are rendered once, however many are listed at once', async () => {
  const { renderer, specs } = noting();
  const { create, call } = await openStudio({ renderer });
  const movies = await Promise.all(Array.from({ length: 20 }, () => create()));
  const lists = await Promise.all(movies.map(async (movie) => assetsOf(await call('GET', `/movies/${movie}/assets`))));
  expect(specs).toHaveLength(1);
  expect(new Set(lists.map(([asset]) => asset?.id)).size).toBe(20);
});

test('a movie that is canceled while it renders leaves no file, and lets the next one go on', async () => {
  const dataFolder = await temporaryFolder();
  let hang = true;
  const { renderer, specs } = noting(async ({ signal }) => {
    if (!hang) return;
    hang = false;
    await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  });
  const { create, call, statusOf } = await openStudio({ renderer, render: 'draft', dataFolder });
  const [first, second] = [await create(), await create()];
  await until(() => specs.length === 1);
  await call('POST', `/movies/${first}/cancel`);
  await until(async () => (await statusOf(second)) === 'completed');
  expect(await statusOf(first)).toBe('canceled');
  const kept = await readdir(join(dataFolder, 'films'));
  expect(kept.map((name) => name.split('.')[0])).toEqual([second]);
});

test('a movie that is canceled before its turn is never rendered', async () => {
  const { renderer, specs } = noting(() => new Promise((resolve) => setImmediate(resolve)));
  const { create, call, statusOf } = await openStudio({ renderer, render: 'draft' });
  const [, second, third] = [await create(), await create(), await create()];
  await call('POST', `/movies/${second}/cancel`);
  await until(async () => (await statusOf(third ?? '')) === 'completed');
  expect(specs).toHaveLength(2);
});

test('what a killed studio left of a film is removed at the next start', async () => {
  const dataFolder = await temporaryFolder();
  const first = await openStudio({ dataFolder });
  await first.studio.close();
  await writeFile(join(dataFolder, 'references', 'ref_orphan'), 'x');
  await writeFile(join(dataFolder, 'films', 'movie_1.half'), 'x');
  await writeFile(join(dataFolder, 'incoming', 'half'), 'x');
  await openStudio({ dataFolder });
  for (const folder of ['references', 'films', 'incoming']) expect(await readdir(join(dataFolder, folder))).toEqual([]);
});
