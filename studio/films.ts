import { randomUUID } from 'node:crypto';
import { mkdir, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { type FilmFile, measure } from './assets.js';
import type { MovieQuirk } from './faults/script.js';
import type { MovieRecord } from './movies.js';
import type { References } from './references.js';
import type { FilmSpec, RenderedFile, RenderProgress } from './render/render.js';
import type { Renderer } from './render/renderer.js';

export interface Films {
  /** Renders the movie's own film into a new folder. A failure or an abort leaves nothing behind. */
  render(movie: MovieRecord, options: RenderOptions): Promise<readonly FilmFile[]>;
  /** The film that stands for every stub of this length and ratio; rendered at the first call. */
  prepared(movie: MovieRecord): Promise<readonly FilmFile[]>;
}

interface RenderOptions {
  readonly onProgress: (progress: RenderProgress) => void;
  readonly signal: AbortSignal;
}

export interface FilmsDeps {
  readonly renderer: Renderer;
  readonly references: References;
  readonly filmsFolder: string;
}

export function createFilms({ renderer, references, filmsFolder }: FilmsDeps): Films {
  const prepared = new Map<string, Promise<readonly FilmFile[]>>();

  async function renderInto(outFolder: string, movie: MovieRecord, options?: RenderOptions) {
    const wrong = movie.quirks.find((quirk) => quirk.effect === 'wrong_movie')?.wrong ?? null;
    const spec = { ...specOf(movie, { references, outFolder }), ...deviationOf(movie, wrong) };
    await mkdir(outFolder, { recursive: true });
    try {
      const files = await renderer.renderFilm(spec, options);
      if (wrong === 'empty') await emptyTheFilm(files);
      return await Promise.all(files.map(measure));
    } catch (error) {
      await rm(outFolder, { recursive: true, force: true });
      throw error;
    }
  }

  return {
    render: (movie, options) => renderInto(join(filmsFolder, `${movie.id}.${randomUUID()}`), movie, options),
    prepared(movie) {
      const { duration_seconds, aspect_ratio } = movie.request;
      const wrong = movie.quirks.find((quirk) => quirk.effect === 'wrong_movie')?.wrong ?? 'right';
      const name = `stub-${duration_seconds}s-${aspect_ratio.replace(':', 'x')}-${wrong}`;
      let files = prepared.get(name);
      if (!files) {
        files = renderInto(join(filmsFolder, name), movie);
        prepared.set(name, files);
        files.catch(() => prepared.delete(name));
      }
      return files;
    },
  };
}

function specOf(
  { request, preset, keyHash }: MovieRecord,
  { references, outFolder }: { readonly references: References; readonly outFolder: string },
): FilmSpec {
  return {
    prompt: request.prompt,
    durationSeconds: request.duration_seconds,
    aspectRatio: request.aspect_ratio,
    style: request.style ?? null,
    references:
      preset === 'stub'
        ? []
        : request.references.flatMap((each) => {
            const reference = references.find(each.reference_id, keyHash);
            const path = references.pathOf(each.reference_id);
            return reference
              ? [
                  {
                    path,
                    mimeType: reference.mimeType,
                    role: each.role,
                    description: each.description ?? reference.description,
                  },
                ]
              : [];
          }),
    preset,
    outFolder,
  };
}

type Wrong = Extract<MovieQuirk, { effect: 'wrong_movie' }>['wrong'];

/** How a film that is wrong on purpose differs from its brief. */
function deviationOf({ request }: MovieRecord, wrong: Wrong | null): Partial<FilmSpec> {
  switch (wrong) {
    case 'ratio':
      return { aspectRatio: request.aspect_ratio === '16:9' ? '9:16' : '16:9' };
    case 'length':
      return {
        durationSeconds: request.duration_seconds > 60 ? request.duration_seconds - 20 : request.duration_seconds + 10,
      };
    case 'black':
    case 'silent':
      return { fault: wrong };
    default:
      return {};
  }
}

async function emptyTheFilm(files: readonly RenderedFile[]): Promise<void> {
  for (const { type, path } of files) if (type === 'final_video') await truncate(path, 0);
}
