import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { createCanvas } from '@napi-rs/canvas';
import { type EncoderOptions, sampleRate } from './encode/encoder.js';
import { openEncoder } from './encode/open-encoder.js';
import { filmFiles } from './film-files.js';
import { frameSize } from './frame-size.js';
import type { FilmSpec, RenderedFile, RenderProgress } from './render.js';

export interface MakeFilmOptions {
  readonly report: (progress: RenderProgress) => void;
}

export async function makeFilm(spec: FilmSpec, { report }: MakeFilmOptions): Promise<readonly RenderedFile[]> {
  report({ percent: 0, stage: 'planning' });
  const { width, height, framesPerSecond } = frameSize(spec.preset, spec.aspectRatio);
  const path = (name: string) => join(spec.outFolder, name);
  const samples = spec.durationSeconds * sampleRate;
  const left = new Float32Array(samples).map((_, i) => 0.1 * Math.sin(i / 30));
  report({ percent: 5, stage: 'generating' });
  const options: EncoderOptions = {
    path: `${path('final.mp4')}.part`,
    width,
    height,
    framesPerSecond,
    sound: { left, right: left },
    speed: spec.preset === 'film' ? 'veryfast' : 'ultrafast',
    rateFactor: spec.preset === 'stub' ? 30 : 22,
    soundBitRate: spec.preset === 'film' ? 160_000 : spec.preset === 'draft' ? 96_000 : 32_000,
    tags: { title: spec.prompt.slice(0, 100), comment: 'Animatic, made without a generative model' },
  };
  const encoder = await openEncoder(options);
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  const count = spec.durationSeconds * framesPerSecond;
  for (let index = 0; index < count; index++) {
    context.fillStyle = `hsl(${index} 60% 40%)`;
    context.fillRect(0, 0, width, height);
    await encoder.frame(canvas.data());
    await setImmediate();
    report({ percent: Math.round(10 + (85 * index) / count), stage: 'rendering' });
  }
  await encoder.finish();
  const still = canvas.toBuffer('image/jpeg', 88);
  await writeFile(`${path('poster.jpg')}.part`, still);
  await writeFile(`${path('storyboard.jpg')}.part`, still);
  await writeFile(`${path('captions.vtt')}.part`, 'WEBVTT\n\n');
  return filmFiles(spec);
}
