import type { Canvas, SKRSContext2D } from '@napi-rs/canvas';
import type { Transition } from '../look/look.js';
import type { FilmPlan } from '../plan/film-plan.js';
import type { View } from '../plan/views.js';
import { easeInOut, easeOut } from './easing.js';

/** How long a view takes to come in: a beat at most, and never a large part of a short view. */
export function transitionSeconds({ look, grid }: FilmPlan, { start, end }: View): number {
  const wanted = look.transition === 'dissolve' ? 0.75 : 0.45;
  return Math.min(wanted, grid.beatSeconds, (end - start) / 3);
}

interface Crossing {
  readonly transition: Transition;
  readonly amount: number;
}

/** Brings the incoming picture over the one that is already drawn. */
export function passInto(context: SKRSContext2D, incoming: Canvas, { transition, amount }: Crossing): void {
  const { width, height } = incoming;
  context.save();
  switch (transition) {
    case 'slide':
      context.drawImage(incoming, Math.round(width * (1 - easeOut(amount))), 0);
      break;
    case 'wipe':
      context.beginPath();
      context.rect(0, 0, width * easeInOut(amount), height);
      context.clip();
      context.drawImage(incoming, 0, 0);
      break;
    case 'dissolve':
      context.globalAlpha = easeInOut(amount);
      context.drawImage(incoming, 0, 0);
      break;
    case 'cut':
      context.drawImage(incoming, 0, 0);
      break;
  }
  context.restore();
}
