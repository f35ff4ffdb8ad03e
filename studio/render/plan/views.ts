import { type Cast, type CastMember, seat } from './casting.js';
import { type MusicGrid, nearestBeat } from './music-grid.js';
import { type Setting, settingsIn, type Weather, weatherIn } from './settings.js';
import type { TimedPage } from './timing.js';

/** A stretch of film between two cuts. */
export interface View {
  readonly start: number;
  readonly end: number;
  readonly setting: Setting;
  readonly weather: Weather;
  /** Tells views of the same setting apart. */
  readonly variant: number;
  readonly location: CastMember | null;
  /** Products first. */
  readonly cards: readonly CastMember[];
}

interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface ViewOptions {
  readonly cast: Cast;
  readonly grid: MusicGrid;
  readonly energy: number;
  /** The setting where nothing in the text says where we are. */
  readonly fallback: Setting;
}

const shortestSeconds = 1.5;
const maxGuestsTogether = 3;

/** Cuts the film into views: at page turns, and again where nobody would look at one picture for that long. */
export function viewsOf(pages: readonly TimedPage[], options: ViewOptions): readonly View[] {
  const { cast, grid, energy } = options;
  const maxSeconds = 7.5 - 3.7 * energy;
  const stretches = merged(pages).flatMap((stretch) =>
    divided(stretch, { parts: Math.ceil((stretch.end - stretch.start) / maxSeconds), grid }),
  );
  const enough = withRoomFor(stretches, viewsNeededBy(cast));
  const seats = seat(
    cast.guests,
    enough.map(({ text }) => text),
  );
  const place = placer(options);
  return enough.map(({ start, end, text }, index) => ({
    start,
    end,
    ...place(text),
    location: cast.locations[index % Math.max(1, cast.locations.length)] ?? null,
    cards: [...productsAt(cast.products, index), ...(seats[index] ?? [])],
  }));
}

/** Everyone must appear: locations one at a time, many products in pairs, guests in small groups. */
function viewsNeededBy({ locations, products, guests }: Cast): number {
  return Math.max(locations.length, Math.ceil(products.length / 2), Math.ceil(guests.length / maxGuestsTogether));
}

/** Pages that turn faster than a picture should change share one. */
function merged(pages: readonly TimedPage[]): readonly Stretch[] {
  const stretches: Stretch[] = [];
  for (const { start, end, text } of pages) {
    const previous = stretches.at(-1);
    if (previous && (previous.end - previous.start < shortestSeconds || end - start < shortestSeconds / 2)) {
      stretches[stretches.length - 1] = { start: previous.start, end, text: `${previous.text} ${text}` };
    } else {
      stretches.push({ start, end, text });
    }
  }
  return stretches;
}

function divided(
  { start, end, text }: Stretch,
  { parts, grid }: { readonly parts: number; readonly grid: MusicGrid | null },
): readonly Stretch[] {
  const at = (part: number) => {
    const even = start + ((end - start) * part) / parts;
    return grid && part > 0 && part < parts ? nearestBeat(even, grid) : even;
  };
  return Array.from({ length: parts }, (_, part) => ({ start: at(part), end: at(part + 1), text }));
}

/** Halves the longest until there are enough. */
function withRoomFor(stretches: readonly Stretch[], count: number): readonly Stretch[] {
  let current = stretches;
  while (current.length < count) {
    const longest = Math.max(...current.map(({ start, end }) => end - start));
    const index = current.findIndex(({ start, end }) => end - start === longest);
    current = current.flatMap((stretch, at) => (at === index ? divided(stretch, { parts: 2, grid: null }) : [stretch]));
  }
  return current;
}

/** One product is always there; several take turns, two at a time. */
function productsAt(products: readonly CastMember[], index: number): readonly CastMember[] {
  if (products.length <= 2) return products;
  return [0, 1].flatMap((offset) => products[(index * 2 + offset) % products.length] ?? []);
}

/** Where a film may look when it has looked at a place long enough. */
const nearby: Readonly<Record<Setting, readonly Setting[]>> = {
  hills: ['sky', 'forest'],
  sea: ['sky', 'hills'],
  city: ['lights', 'sky'],
  sky: ['hills', 'sea'],
  space: ['lights', 'sky'],
  forest: ['hills', 'sky'],
  room: ['lights', 'city'],
  stage: ['ribbons', 'lights'],
  network: ['ribbons', 'city'],
  lights: ['city', 'ribbons'],
  ribbons: ['lights', 'sky'],
};

const outdoors: ReadonlySet<Setting> = new Set(['hills', 'sea', 'city', 'sky', 'forest']);
const wet: ReadonlySet<Weather> = new Set(['rain', 'snow']);

/** The text says where we are. While it says nothing, or is still the same, the film looks around. */
function placer({ fallback }: ViewOptions): (text: string) => Pick<View, 'setting' | 'weather' | 'variant'> {
  let home = fallback;
  let shown: Setting | undefined;
  let weather: Weather = 'none';
  let lastText: string | undefined;
  let turn = 0;
  const used = new Map<Setting, number>();
  return (text) => {
    turn = text === lastText ? turn + 1 : 0;
    lastText = text;
    const mentioned = settingsIn(text);
    home = mentioned[0] ?? home;
    const choices = [...new Set([home, ...mentioned, ...nearby[home]])];
    const stays = shown === choices[turn % choices.length] && (turn > 0 || mentioned.length === 0);
    const setting = choices[(turn + (stays ? 1 : 0)) % choices.length] ?? home;
    shown = setting;
    if (mentioned.length > 0 || weather === 'none') weather = weatherIn(text);
    const variant = used.get(setting) ?? 0;
    used.set(setting, variant + 1);
    return { setting, weather: outdoors.has(setting) || !wet.has(weather) ? weather : 'none', variant };
  };
}
