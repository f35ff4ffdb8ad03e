import { type MusicGrid, nearestBeat } from './music-grid.js';
import type { Page } from './pages.js';

/** A page with its time in the film. The text stays from `start` to `shownUntil`, its picture until `end`. */
export interface TimedPage extends Page {
  readonly start: number;
  readonly shownUntil: number;
  readonly end: number;
}

/** Long enough to read a text twice at leisure; then the picture is left to itself. */
const maxShownFactor = 2.6;
const maxShownExtraSeconds = 1.5;

/**
 * Gives every page its share of the time by what it takes to read. Time to spare lengthens all pages alike; too little
 * shortens them alike. Page turns fall on the beat where pages are long enough to have one.
 */
export function timePages(pages: readonly Page[], options: TimingOptions): readonly TimedPage[] {
  const { availableSeconds, grid } = options;
  const neededSeconds = pages.reduce((sum, page) => sum + page.readingSeconds, 0);
  const scale = availableSeconds / neededSeconds;
  let passed = 0;
  const turns = pages.map((page) => {
    passed += page.readingSeconds * scale;
    return passed;
  });
  const bounds = [0, ...snapped(turns.slice(0, -1), grid, availableSeconds), availableSeconds];
  return pages.map((page, index) => {
    const [start, end] = [bounds[index] ?? 0, bounds[index + 1] ?? availableSeconds];
    const longest = page.readingSeconds * maxShownFactor + maxShownExtraSeconds;
    return { ...page, start, end, shownUntil: Math.min(end, start + longest) };
  });
}

interface TimingOptions {
  readonly availableSeconds: number;
  readonly grid: MusicGrid;
}

/** Moves a turn to its beat only if that leaves the pages on both sides more than half a beat. */
function snapped(turns: readonly number[], grid: MusicGrid, end: number): readonly number[] {
  let previous = 0;
  return turns.map((turn, index) => {
    const beat = nearestBeat(turn, grid);
    const next = turns[index + 1] ?? end;
    const fits = beat > previous + grid.beatSeconds / 2 && beat < next - grid.beatSeconds / 2;
    previous = fits ? beat : turn;
    return previous;
  });
}
