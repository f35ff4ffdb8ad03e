import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import type { FilmPlan } from '../plan/film-plan.js';
import type { View } from '../plan/views.js';
import { randomFrom } from '../random.js';
import type { Picture } from '../reference/picture.js';
import type { Typesetter } from '../text/typesetter.js';
import { cardPainter } from './card-painter.js';
import { ramp } from './easing.js';
import { endCardPainter } from './end-card.js';
import { locationPainter } from './location-painter.js';
import type { Painter, SettingOptions } from './painter.js';
import { scrim } from './scrim.js';
import { settingPainter } from './setting-painter.js';
import { type TextPainter, textBlock } from './text-block.js';
import { passInto, transitionSeconds } from './transition.js';
import { weatherPainter } from './weather.js';

export interface FilmPainterOptions {
  /** By the reference's place in the spec. */
  readonly pictures: ReadonlyMap<number, Picture>;
  readonly typesetter: Typesetter;
}

/** Draws the film at a moment, in seconds. Only what is on screen is kept in memory, so moments should come in order. */
export type FilmPainter = (context: SKRSContext2D, seconds: number) => void;

export function createFilmPainter(plan: FilmPlan, options: FilmPainterOptions): FilmPainter {
  const { width, height } = plan.size;
  const views = latest(2, (index: number) => viewPainter(plan, index, options));
  const pages = latest(2, (index: number) => pagePainter(plan, index, options));
  const cards = cardPainter(plan, options);
  const overlay = scrim(plan);
  const end = plan.endCard && endCardPainter(plan, options.typesetter);
  const incoming = createCanvas(width, height);

  function drawView(context: SKRSContext2D, index: number, seconds: number): void {
    const view = plan.views[index];
    if (view) views(index)(context, { progress: (seconds - view.start) / (view.end - view.start), seconds });
  }

  return (context, seconds) => {
    const index = lastStarted(plan.views, seconds);
    const view = plan.views[index];
    if (!view) return;
    const amount = index === 0 ? 1 : ramp(seconds, view.start, view.start + transitionSeconds(plan, view));
    if (amount < 1 && plan.look.transition !== 'cut') {
      drawView(context, index - 1, seconds);
      drawView(incoming.getContext('2d'), index, seconds);
      passInto(context, incoming, { transition: plan.look.transition, amount });
    } else {
      drawView(context, index, seconds);
    }
    if (!plan.silent) context.drawImage(overlay, 0, 0);
    cards(context, seconds);
    drawPage(context, seconds);
    if (end && plan.endCard && seconds >= plan.endCard.start) end(context, seconds - plan.endCard.start);
  };

  function drawPage(context: SKRSContext2D, seconds: number): void {
    const index = lastStarted(plan.pages, seconds);
    const page = plan.pages[index];
    if (page && !plan.silent && seconds < page.shownUntil) {
      pages(index)(context, { since: seconds - page.start, left: page.shownUntil - seconds });
    }
  }
}

function viewPainter(plan: FilmPlan, index: number, { pictures }: FilmPainterOptions): Painter {
  const view = plan.views[index];
  if (!view) throw new Error(`Cannot draw view ${index}: the plan has ${plan.views.length}`);
  const options = settingOptions(plan, view);
  const picture = view.location ? pictures.get(view.location.index) : undefined;
  const place = picture
    ? locationPainter(picture, { ...options, variant: index })
    : settingPainter(view.setting, options);
  const weather = weatherPainter(view.weather, options);
  return (context, moment) => {
    place(context, moment);
    weather?.(context, moment);
  };
}

function settingOptions({ size, look, composition, seed }: FilmPlan, { setting, variant }: View): SettingOptions {
  const { text } = composition;
  const wide = size.width > size.height;
  const textOnTheLeft = text.x + text.width / 2 < size.width / 2;
  return {
    width: size.width,
    height: size.height,
    unit: composition.unit,
    palette: look.palette,
    random: randomFrom(`${seed} ${setting} ${variant}`),
    variant,
    focus: wide ? (textOnTheLeft ? 0.74 : 0.26) : 0.5,
    energy: look.energy,
  };
}

function pagePainter(plan: FilmPlan, index: number, { typesetter }: FilmPainterOptions): TextPainter {
  const page = plan.pages[index];
  if (!page) throw new Error(`Cannot draw page ${index}: the plan has ${plan.pages.length}`);
  const { palette, entrance } = plan.look;
  return textBlock(page.set, {
    typesetter,
    box: plan.composition.text,
    palette,
    entrance,
    unit: plan.composition.unit,
  });
}

/** Keeps the last `count` results and drops the least recently used. */
function latest<Made>(count: number, make: (index: number) => Made): (index: number) => Made {
  const kept = new Map<number, Made>();
  return (index) => {
    const made = kept.get(index) ?? make(index);
    kept.delete(index);
    kept.set(index, made);
    for (const oldest of kept.keys()) {
      if (kept.size <= count) break;
      kept.delete(oldest);
    }
    return made;
  };
}

/** Index of the last item that has begun; a hair of tolerance, as starts are sums of fractions. */
function lastStarted(items: readonly { readonly start: number }[], seconds: number): number {
  const next = items.findIndex(({ start }) => start > seconds + 1e-6);
  return next < 0 ? items.length - 1 : Math.max(0, next - 1);
}
