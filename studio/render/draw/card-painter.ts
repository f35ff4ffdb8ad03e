import type { SKRSContext2D } from '@napi-rs/canvas';
import type { CastMember } from '../plan/casting.js';
import type { Box } from '../plan/composition.js';
import type { FilmPlan } from '../plan/film-plan.js';
import type { Picture } from '../reference/picture.js';
import type { Typesetter } from '../text/typesetter.js';
import { type Card, makeCard } from './card.js';
import { clamp01, easeInOut, easeOut, ramp } from './easing.js';

/** One reference held in one place for a while; cuts behind it do not move it. */
interface Appearance {
  readonly member: CastMember;
  readonly slot: Box;
  readonly start: number;
  end: number;
}

const enterSeconds = 0.6;
const leaveSeconds = 0.25;

interface CardPainterOptions {
  readonly pictures: ReadonlyMap<number, Picture>;
  readonly typesetter: Typesetter;
}

export function cardPainter(
  plan: FilmPlan,
  { pictures, typesetter }: CardPainterOptions,
): (context: SKRSContext2D, seconds: number) => void {
  const { unit } = plan.composition;
  const appearances = appearancesIn(plan, pictures);
  const cards = new Map<Appearance, Card>();
  const cardOf = (appearance: Appearance, picture: Picture): Card => {
    const { member, slot } = appearance;
    const card =
      cards.get(appearance) ??
      makeCard(picture, {
        slot,
        style: member.role === 'product' ? 'product' : member.role === 'character' ? 'portrait' : 'picture',
        label: member.role === 'character' ? nameIn(member.description) : null,
        palette: plan.look.palette,
        typesetter,
        unit,
      });
    cards.set(appearance, card);
    return card;
  };

  return (context, seconds) => {
    for (const appearance of appearances) {
      if (seconds >= appearance.end) cards.delete(appearance);
      if (seconds < appearance.start || seconds >= appearance.end) continue;
      const picture = pictures.get(appearance.member.index);
      if (picture) drawCard(context, cardOf(appearance, picture), { ...appearance, seconds, unit });
    }
  };
}

interface CardMoment {
  readonly start: number;
  readonly end: number;
  readonly seconds: number;
  readonly unit: number;
}

function drawCard(context: SKRSContext2D, card: Card, { start, end, seconds, unit }: CardMoment): void {
  const arrived = easeOut(ramp(seconds, start + 0.1, start + 0.1 + Math.min(enterSeconds, (end - start) / 3)));
  if (arrived === 0) return;
  const position = clamp01((seconds - start) / (end - start)) * (card.canvases.length - 1);
  const lift = Math.sin(seconds * 0.8 + start) * 4 * unit + (1 - arrived) * 34 * unit;
  const scale = 0.94 + 0.06 * arrived;
  context.save();
  context.translate(card.x, card.y + lift);
  context.scale(scale, scale);
  const presence = arrived * ramp(end - seconds, 0, leaveSeconds);
  for (const [index, canvas] of card.canvases.entries()) {
    const weight = index === 0 ? 1 : easeInOut(clamp01(position - index + 1));
    if (weight === 0 || position >= index + 1) continue;
    context.globalAlpha = presence * weight;
    context.drawImage(canvas, -canvas.width / 2, -canvas.height / 2);
  }
  context.restore();
}

/** Neighbouring views that hold the same reference in the same place make one appearance. */
function appearancesIn(
  { views, composition }: FilmPlan,
  pictures: ReadonlyMap<number, Picture>,
): readonly Appearance[] {
  const ratioOf = ({ index, role }: CastMember) => {
    const picture = pictures.get(index);
    return role === 'character' || !picture ? 1 : picture.width / picture.height;
  };
  const appearances: Appearance[] = [];
  for (const { start, end, cards } of views) {
    const slots = slotsFor(cards.map(ratioOf), { box: composition.cards, gap: 22 * composition.unit });
    for (const [index, member] of cards.entries()) {
      const slot = slots[index] ?? composition.cards;
      const going = appearances.find(
        (one) => one.member === member && Math.abs(one.end - start) < 1e-6 && sameBox(one.slot, slot),
      );
      if (going) going.end = end;
      else appearances.push({ member, slot, start, end });
    }
  }
  return appearances;
}

/**
 * The grid in which pictures of these ratios (width by height) come out largest. A last row that is not full is centred.
 */
export function slotsFor(
  ratios: readonly number[],
  { box, gap }: { readonly box: Box; readonly gap: number },
): readonly Box[] {
  const grids = ratios.map((_, index) => gridOf(ratios.length, { columns: index + 1, box, gap }));
  const areaIn = (slots: readonly Box[]) =>
    slots.reduce((sum, slot, index) => sum + fittedArea(ratios[index] ?? 1, slot), 0);
  return grids.toSorted((one, other) => areaIn(other) - areaIn(one))[0] ?? [];
}

function gridOf(
  count: number,
  { columns, box, gap }: { readonly columns: number; readonly box: Box; readonly gap: number },
): readonly Box[] {
  const rows = Math.ceil(count / columns);
  const [width, height] = [(box.width - gap * (columns - 1)) / columns, (box.height - gap * (rows - 1)) / rows];
  return Array.from({ length: count }, (_, index) => {
    const row = Math.floor(index / columns);
    const inRow = row === rows - 1 ? count - row * columns : columns;
    const indent = (box.width - inRow * width - (inRow - 1) * gap) / 2;
    return { x: box.x + indent + (index % columns) * (width + gap), y: box.y + row * (height + gap), width, height };
  });
}

function fittedArea(ratio: number, { width, height }: Box): number {
  return width > height * ratio ? height * height * ratio : (width * width) / ratio;
}

function sameBox(one: Box, other: Box): boolean {
  return one.x === other.x && one.y === other.y && one.width === other.width && one.height === other.height;
}

/** "Mara, a young baker" is called Mara. A description that names nobody gives no name plate. */
export function nameIn(description: string | null): string | null {
  const clause = (description ?? '').split(/[,;:.()،؛、。।]|\s[-–—]\s/u)[0]?.trim() ?? '';
  if (clause === '') return null;
  if ([...clause].length <= 28 && !/^(?:use|show|keep|the|a|an|our)\s/iu.test(clause)) return clause;
  const proper = clause.match(/(?<=\s)\p{Lu}[\p{L}'’-]+(?:\s\p{Lu}[\p{L}'’-]+){0,2}/u);
  return proper?.[0] ?? null;
}
