import { drawing } from './polling-cases.js';

/** How long the movies of a run take. */
export interface JobSeconds {
  readonly from: number;
  readonly to: number;
}

/** The prompt of a movie names its number, so that the studio and whoever measures know how long it takes. */
export function benchPrompt(number: number): string {
  return `Bench movie number ${number}, quietly made`;
}

/** Spread evenly, and the same each time. */
export function secondsOf(number: number, { from, to }: JobSeconds): number {
  return from + (to - from) * drawing(number)();
}

export function numberOf(prompt: string): number {
  return Number(/number (\d+)/.exec(prompt)?.[1] ?? 0);
}
