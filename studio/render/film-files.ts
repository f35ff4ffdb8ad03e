import { join } from 'node:path';
import { frameSize } from './frame-size.js';
import type { FilmSpec, RenderedFile } from './render.js';

const names = {
  final_video: ['final.mp4', 'video/mp4'],
  poster: ['poster.jpg', 'image/jpeg'],
  storyboard: ['storyboard.jpg', 'image/jpeg'],
  captions: ['captions.vtt', 'text/vtt'],
} as const;

/** What a finished job leaves in its folder, in the order in which it is listed. A storyboard's size comes with its plan. */
export function filmFiles(spec: FilmSpec): readonly RenderedFile[] {
  const { width, height } = frameSize(spec.preset, spec.aspectRatio);
  const sizes = {
    final_video: { width, height, durationSeconds: spec.durationSeconds },
    poster: { width, height, durationSeconds: null },
    storyboard: { width: null, height: null, durationSeconds: null },
    captions: { width: null, height: null, durationSeconds: null },
  };
  const types = ['final_video', 'poster', 'storyboard', 'captions'] as const;
  return types.map((type) => {
    const [name, mimeType] = names[type];
    return { type, path: join(spec.outFolder, name), mimeType, ...sizes[type] };
  });
}
