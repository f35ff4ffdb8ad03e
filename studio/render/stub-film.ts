import { copyFile, mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { runInChild } from './child-process.js';
import { filmFiles } from './film-files.js';
import type { FilmSpec, RenderedFile, RenderOptions } from './render.js';

/** Part of the name of every kept stub: raise it when stubs of an older version must not be used again. */
const stubVersion = 4;

/** Stubs that this process is making now, by folder: thousands of jobs may ask for the same one at the same moment. */
const making = new Map<string, Promise<void>>();

/**
 * The stub of the spec's length, ratio and fault, copied into the job's folder. It is rendered at the first demand on
 * this machine; afterwards a job costs four small copies. Copies, because what is published may be cut or overwritten.
 */
export async function stubFilm(spec: FilmSpec, options: RenderOptions): Promise<readonly RenderedFile[]> {
  const { onProgress, signal } = options;
  onProgress?.({ percent: 0, stage: 'planning' });
  const kept = join(options.stubCacheFolder ?? defaultCacheFolder(), stubName(spec));
  onProgress?.({ percent: 10, stage: 'generating' });
  if (!(await exists(kept))) await makeOnce(kept, spec);
  signal?.throwIfAborted();
  onProgress?.({ percent: 90, stage: 'rendering' });
  const files = filmFiles(spec);
  await Promise.all(files.map(({ path }) => copyFile(join(kept, basename(path)), `${path}.part`)));
  await Promise.all(files.map(({ path }) => rename(`${path}.part`, path)));
  return files;
}

/** By number: in a container a user need not have a name. */
function defaultCacheFolder(): string {
  return join(tmpdir(), `greenlight-stubs-${process.getuid?.() ?? 'own'}`);
}

function stubName({ durationSeconds, aspectRatio, fault }: FilmSpec): string {
  return `v${stubVersion}-${durationSeconds}s-${aspectRatio.replace(':', 'x')}-${fault ?? 'right'}`;
}

function makeOnce(kept: string, spec: FilmSpec): Promise<void> {
  const underWay = making.get(kept) ?? make(kept, spec).finally(() => making.delete(kept));
  making.set(kept, underWay);
  return underWay;
}

/** Made next to its place and moved there whole, so that other processes see either all four files or none. */
async function make(kept: string, { durationSeconds, aspectRatio, fault }: FilmSpec): Promise<void> {
  const cacheFolder = join(kept, '..');
  await mkdir(cacheFolder, { recursive: true, mode: 0o700 });
  const outFolder = await mkdtemp(join(cacheFolder, 'making-'));
  try {
    const spec: FilmSpec = {
      prompt: 'A stand-in film for load tests.',
      durationSeconds,
      aspectRatio,
      style: null,
      references: [],
      preset: 'stub',
      outFolder,
      ...(fault && { fault }),
    };
    await runInChild({ kind: 'film', spec });
    await Promise.all(filmFiles(spec).map(({ path }) => rename(`${path}.part`, path)));
    await rename(outFolder, kept);
  } catch (error) {
    await rm(outFolder, { recursive: true, force: true });
    // Another process was first: its stub is as good as ours.
    if (!(await exists(kept))) throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
