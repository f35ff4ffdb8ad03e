import type { Sound } from '../encode/encoder.js';
import type { FilmPlan } from '../plan/film-plan.js';
import { silence } from './mixer.js';
import { composeMusic } from './music.js';

/** The film's sound, exactly as long as the film. */
export function soundTrack(
  { durationSeconds, grid, look, seed }: FilmPlan,
  { silent }: { readonly silent: boolean },
): Sound {
  if (silent) return silence(durationSeconds);
  return composeMusic({ durationSeconds, grid, mode: look.mode, energy: look.energy, seed });
}
