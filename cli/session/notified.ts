import type { Notified } from '../../operations/deps.js';
import type { CliContext } from '../terminal/context.js';
import { say } from '../terminal/print.js';

/** What is recorded holds, whether or not the workers have heard of it. */
export function warnNotNotified(context: Pick<CliContext, 'stderr'>, { told }: Notified): void {
  if (!told)
    say(context, 'Recorded; workers not notified yet; they will pick it up when they start. Next: greenlight worker');
}
