import type { ReferenceRole } from '../../../domain/brief.js';
import type { ReferenceKind } from '../reference/formats.js';

/** What the plan must know about a reference. Its place in the spec's list is its identity. */
export interface CastMember {
  readonly index: number;
  readonly role: ReferenceRole;
  readonly kind: ReferenceKind;
  readonly description: string | null;
}

/** Who plays which part in the picture. */
export interface Cast {
  /** Behind everything, one at a time. */
  readonly locations: readonly CastMember[];
  /** Held in every view. */
  readonly products: readonly CastMember[];
  /** Shown when they are spoken of, and at least once. */
  readonly guests: readonly CastMember[];
}

export function castOf(members: readonly CastMember[]): Cast {
  const visible = members.filter(({ role, kind }) => kind !== 'audio' && role !== 'audio' && role !== 'style');
  const of = (part: ReferenceRole) => visible.filter(({ role, kind }) => role === part && kind !== 'document');
  const [locations, products] = [of('location'), of('product')];
  const guests = visible.filter((member) => !locations.includes(member) && !products.includes(member));
  return { locations, products, guests };
}

/**
 * Which of `texts` each guest belongs to: the ones that mention a word of its description, else the one with the fewest
 * guests so far. Everyone appears.
 */
export function seat(guests: readonly CastMember[], texts: readonly string[]): readonly (readonly CastMember[])[] {
  const seats: CastMember[][] = texts.map(() => []);
  for (const guest of guests) {
    const mentions = texts.flatMap((text, index) => (mentioned(guest, text) ? [index] : []));
    const chosen = mentions.length > 0 ? mentions : [emptiest(seats)];
    for (const index of chosen) seats[index]?.push(guest);
  }
  return seats;
}

function emptiest(seats: readonly (readonly unknown[])[]): number {
  let best = 0;
  for (const [index, seat] of seats.entries()) if (seat.length < (seats[best]?.length ?? 0)) best = index;
  return best;
}

/** Words of four letters and more, or capitalised: names count, "with" and "the" do not. */
function mentioned({ description }: CastMember, text: string): boolean {
  const words = (description ?? '').match(/[\p{L}\p{N}]+/gu) ?? [];
  const telling = words.filter((word) => word.length >= 5 || /^\p{Lu}\p{Ll}{2,}/u.test(word));
  const lower = text.toLowerCase();
  return telling.some((word) => new RegExp(`(?<![\\p{L}])${word.toLowerCase()}`, 'u').test(lower));
}
