import { Option } from '@commander-js/extra-typings';
import { openDesk } from '../../home/desk.js';
import type { Installation } from '../../home/installation.js';
import { giveSignInCode } from '../../operations/access/sessions.js';
import { formatClock } from '../../reports/wording/time-text.js';
import { diagnoseMachine } from '../diagnosis/machine.js';
import type { CliContext } from '../terminal/context.js';
import { explainError } from '../terminal/explain-error.js';
import { say } from '../terminal/print.js';
import { type Session, sessionOf } from './session.js';

export function serveOption() {
  return new Option('--serve', 'also serve the desk, for a browser (see greenlight serve)');
}

/** Serves the desk while `work` goes on, and says at the terminal where it is. */
export async function whileServed<T>(
  context: CliContext,
  installation: Installation,
  work: () => Promise<T>,
): Promise<T> {
  const onFault = (error: unknown, requestId: string) =>
    say(context, `Desk, request ${requestId}: ${explainError(error, context).message}`);
  const desk = await openDesk(installation, { onFault, diagnose: () => diagnoseMachine(context, installation.config) });
  try {
    await sayDeskAddress(context, sessionOf(installation, context), desk.publicUrl);
    return await work();
  } finally {
    await desk.close();
  }
}

/**
 * Says where the desk is. Whoever is known at this terminal gets an address that signs them in once; on a ledger with
 * registered people and without a token, everybody signs in with a code of their own.
 */
async function sayDeskAddress(context: CliContext, { deps, actor }: Session, publicUrl: string): Promise<void> {
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
