import type { Money } from '../../domain/money.js';
import type { DeskContext } from '../desk-env.js';
import { needsFreshSignIn } from './fresh-sign-in.js';

/** Whether this session is too old for an approval of this amount: somebody else may sit at its browser by now. */
export function isSignInTooOld(c: DeskContext, amount: Money): boolean {
  const { freshSignIn, clock } = c.get('deps');
  const signedIn = c.get('signedIn');
  if (!signedIn || signedIn.actor.alone) return false;
  return needsFreshSignIn(freshSignIn, amount, { provedMs: signedIn.provedMs, nowMs: clock() });
}

/** Where somebody proves once more who they are, and comes back from. */
export function signInAgainPath(to: string): string {
  return `/sign-in?again=yes&to=${encodeURIComponent(to)}`;
}
