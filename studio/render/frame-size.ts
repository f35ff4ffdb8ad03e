import type { AspectRatio } from '../../domain/brief.js';
import type { RenderPreset } from './render.js';

/** What every frame of a film has in common. Sides are even, because 4:2:0 video has one colour sample per 2x2 pixels. */
export interface FrameSize {
  readonly width: number;
  readonly height: number;
  readonly framesPerSecond: number;
}

const sides: Readonly<Record<RenderPreset, Readonly<Record<AspectRatio, readonly [width: number, height: number]>>>> = {
  film: { '16:9': [1280, 720], '9:16': [720, 1280], '1:1': [1080, 1080], '4:5': [1080, 1350] },
  draft: { '16:9': [320, 180], '9:16': [180, 320], '1:1': [240, 240], '4:5': [216, 270] },
  stub: { '16:9': [160, 90], '9:16': [90, 160], '1:1': [120, 120], '4:5': [112, 140] },
};
const rates: Readonly<Record<RenderPreset, number>> = { film: 24, draft: 10, stub: 5 };

/** Each size has exactly the ratio that was asked for, so that a strict check of a download has nothing to round. */
export function frameSize(preset: RenderPreset, aspectRatio: AspectRatio): FrameSize {
  const [width, height] = sides[preset][aspectRatio];
  return { width, height, framesPerSecond: rates[preset] };
}
