import { expect } from 'vitest';
import { sampleRate } from '../../../../studio/render/media/encoder.js';
import { musicGrid } from '../../../../studio/render/plan/music-grid.js';
import { composeMusic } from '../../../../studio/render/sound/music.js';

export const loudest = (samples: Float32Array) => samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
export const seconds = (samples: Float32Array, from: number, to: number) =>
  samples.subarray(from * sampleRate, to * sampleRate);

export function music(durationSeconds: number, energy = 0.5, seed = 1) {
  return composeMusic({ durationSeconds, grid: musicGrid(durationSeconds, energy), mode: 'dorian', energy, seed });
}

/** Music of that length is exactly as long, audible, not clipped, and gone at its end. */
export function expectWhole(durationSeconds: number): void {
  const { left, right } = music(durationSeconds);
  expect([left.length, right.length]).toEqual([durationSeconds * sampleRate, durationSeconds * sampleRate]);
  for (const side of [left, right]) {
    expect(loudest(side)).toBeLessThanOrEqual(0.99);
    expect(loudest(seconds(side, 0.5, durationSeconds / 2))).toBeGreaterThan(0.2);
    expect(loudest(side.subarray(-0.05 * sampleRate))).toBeLessThan(0.02);
    expect(Math.abs(side[0] ?? 1)).toBeLessThan(0.01);
  }
}
