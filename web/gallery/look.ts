import type { MovieFilter } from '../../operations/batch/reviews.js';
import type { Form } from '../guard/form.js';

/** Which movies a page shows, as its address says, and as its forms bring back. */
export interface Look {
  readonly filter: MovieFilter;
  /** Null: of all of them. */
  readonly market: string | null;
  /** Those behind this position; null: from the first. */
  readonly after: number | null;
  /** At this position a redo was sent without a note. */
  readonly withoutNote: number | null;
}

const number = (text: string) => (/^\d{1,9}$/.test(text) ? Number(text) : null);

export function readLook({ show = '', market = '', after = '', lacks = '' }: Readonly<Record<string, string>>): Look {
  return {
    filter: (['unreviewed', 'differs', 'redo'] as const).find((filter) => filter === show) ?? 'all',
    market: market.trim() === '' ? null : market.trim(),
    after: number(after),
    withoutNote: number(lacks),
  };
}

/** The fields that make it again. */
export function lookFields({ filter, market, after }: Omit<Look, 'withoutNote'>): [name: string, value: string][] {
  const fields: [string, string][] = [];
  if (filter !== 'all') fields.push(['show', filter]);
  if (market !== null) fields.push(['market', market]);
  if (after !== null) fields.push(['after', String(after)]);
  return fields;
}

export function galleryPath(path: string, look: Omit<Look, 'withoutNote'>): string {
  const fields = lookFields(look);
  return fields.length === 0 ? path : `${path}?${new URLSearchParams(fields)}`;
}

/** The same page again, which says that the card at this position lacks a note. */
export function placeWithoutNote(path: string, form: Form, position: number): string {
  const fields = [...lookFields(readLook(form)), ['lacks', String(position)]] as [string, string][];
  return `${path}?${new URLSearchParams(fields)}#m${position + 1}`;
}

/**
 * Where the card is that something was said of. From a list that it leaves by that, it is among all; by their number
 * alone it is known on which page.
 */
export function placeAfter(
  path: string,
  form: Form,
  { position, perPage }: { position: number; perPage: number },
): string {
  const look = readLook(form);
  const stays = look.filter === 'all' || look.filter === 'differs';
  const first = stays ? look.after : position - (look.market === null ? position % perPage : 0) - 1;
  const shown = {
    ...look,
    filter: stays ? look.filter : 'all',
    after: first !== null && first >= 0 ? first : null,
  } as const;
  return `${galleryPath(path, shown)}#m${position + 1}`;
}
