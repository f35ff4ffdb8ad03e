import type { Told } from '../operations/deps.js';
import type { CliContext } from './context.js';
import { say } from './print.js';

/** What is recorded holds, whether or not the workers have heard of it. */
export function sayUntold(context: Pick<CliContext, 'stderr'>, { told }: Told): void {
  if (!told) say(context, 'Recorded; workers not told yet: they look by themselves as soon as they run');
}
