import { type Actor, mayAct } from '../../domain/roles.js';
import type { IconName } from './icon-names.js';

/** A place of the desk that every page leads to. */
export interface Place {
  readonly icon: IconName;
  readonly text: string;
  readonly path: string;
  /** Left out: everybody who is signed in. */
  readonly isFor?: (actor: Actor) => boolean;
}

const places: readonly Place[] = [
  { icon: 'batches', text: 'Batches', path: '/' },
  { icon: 'upload', text: 'Upload', path: '/upload', isFor: (actor) => mayAct(actor, 'submit') },
  { icon: 'budgets', text: 'Budgets', path: '/budgets' },
  { icon: 'audit', text: 'Audit', path: '/audit', isFor: (actor) => mayAct(actor, 'see_all') },
  { icon: 'health', text: 'Health', path: '/health', isFor: (actor) => mayAct(actor, 'health') },
];

export function placesOf(actor: Actor): readonly Place[] {
  return places.filter(({ isFor }) => isFor?.(actor) ?? true);
}
