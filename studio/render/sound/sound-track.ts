import { type Sound, sampleRate } from '../media/encoder.js';
import type { FilmPlan } from '../plan/film-plan.js';
import { level } from './loudness.js';
import { fade, type Mix, silence } from './mixer.js';
import { composeMusic } from './music.js';

export interface TrackOptions {
  /** Given by the client; played one after the other, from the beginning again when the film is longer. */
  readonly sounds: readonly Sound[];
  readonly silent: boolean;
}

/** A repeated track fades over into its beginning for this long. */
const overlapSeconds = 0.4;

/** The film's sound, exactly as long as the film and quiet at its end. */
export function soundTrack({ durationSeconds, grid, look, seed }: FilmPlan, { sounds, silent }: TrackOptions): Sound {
  if (silent) return silence(durationSeconds);
  if (sounds.length === 0) {
    return composeMusic({ durationSeconds, grid, mode: look.mode, energy: look.energy, seed });
  }
  const mix = silence(durationSeconds);
  let position = 0;
  for (let turn = 0; position < mix.left.length; turn++) {
    const sound = sounds[turn % sounds.length];
    if (!sound) break;
    lay(mix, sound, position);
    position += Math.max(sampleRate / 10, sound.left.length - overlapSeconds * sampleRate);
  }
  fade(mix, { inSeconds: 0.01, outSeconds: Math.min(1.5, durationSeconds / 4) });
  level(mix);
  return mix;
}

function lay(mix: Mix, { left, right }: Sound, position: number): void {
  const overlap = Math.min(overlapSeconds * sampleRate, left.length / 4);
  const start = Math.round(position);
  const count = Math.min(left.length, mix.left.length - start);
  for (let index = 0; index < count; index++) {
    const gain = Math.min(1, start > 0 ? index / overlap : 1, (left.length - index) / overlap);
    mix.left[start + index] = (mix.left[start + index] ?? 0) + gain * (left[index] ?? 0);
    mix.right[start + index] = (mix.right[start + index] ?? 0) + gain * (right[index] ?? 0);
  }
}
