import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface FilmSpec {
  readonly prompt: string;
  readonly durationSeconds: number;
  readonly aspectRatio: string;
  readonly style: string | null;
  readonly references: readonly {
    readonly path: string;
    readonly mimeType: string;
    readonly role: string;
    readonly description: string | null;
  }[];
  readonly preset: 'film' | 'draft' | 'stub';
  readonly outFolder: string;
  readonly fault?: 'black' | 'silent';
}

export interface RenderedFile {
  readonly type: 'final_video' | 'poster' | 'storyboard' | 'captions';
  readonly path: string;
  readonly mimeType: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly durationSeconds: number | null;
}

export interface RenderProgress {
  readonly percent: number;
  readonly stage: 'planning' | 'generating' | 'rendering';
}

export interface Renderer {
  renderFilm(
    spec: FilmSpec,
    options?: { readonly onProgress?: (progress: RenderProgress) => void; readonly signal?: AbortSignal },
  ): Promise<readonly RenderedFile[]>;
  probeReference(path: string): Promise<{ readonly mimeType: string }>;
}

export class UnsupportedReferenceError extends Error {}

export const renderer: Renderer = {
  async renderFilm({ outFolder, durationSeconds }, options) {
    for (const stage of ['planning', 'generating', 'rendering'] as const) {
      options?.signal?.throwIfAborted();
      options?.onProgress?.({ percent: 50, stage });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    options?.signal?.throwIfAborted();
    const path = join(outFolder, 'final.mp4');
    await writeFile(path, 'stand-in '.repeat(1000));
    const poster = join(outFolder, 'poster.jpg');
    await writeFile(poster, 'stand-in');
    return [
      { type: 'final_video', path, mimeType: 'video/mp4', width: 320, height: 180, durationSeconds },
      { type: 'poster', path: poster, mimeType: 'image/jpeg', width: 320, height: 180, durationSeconds: null },
    ];
  },
  async probeReference() {
    return { mimeType: 'image/png' };
  },
};
