import { giveSignInCode } from '../../operations/access/sessions.js';
import { formatClock } from '../../reports/wording/time-text.js';
import type { CliContext } from '../terminal/context.js';
import { say } from '../terminal/print.js';
import type { Session } from './session.js';

/**
 * Says where the desk is. Whoever is known at this terminal gets an address that signs them in once; on a ledger with
 * registered people and without a token, everybody signs in with a code of their own.
 */
export async function sayDeskAddress(context: CliContext, { deps, actor }: Session, publicUrl: string): Promise<void> {
  const who = await actor().catch(() => null);
  const given = who && (await giveSignInCode(deps, { name: who.name, actor: who }).catch(() => null));
  if (!who || !given) {
    say(context, `Desk: ${publicUrl}; sign in with a code: greenlight people code <name>`);
    return;
  }
  say(context, `Desk: ${publicUrl}/sign-in?code=${given.code}`);
  say(
    context,
    `It signs ${who.name} in once, until ${formatClock(given.untilMs)}; another: greenlight people code ${who.name}`,
  );
}
