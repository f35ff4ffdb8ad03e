import { setTimeout as sleep } from 'node:timers/promises';
import type { CliContext } from './context.js';
import { CliError, exitCodes } from './exit-codes.js';
import { say } from './print.js';

/** What is said first may have to be read from the ledger, which may be away. */
const wordsPatienceMs = 1_000;

/** Somebody wants to go. At the first Ctrl-C the command ends its work in good order, at the second at once. */
export interface Leaving {
  /** Aborted with an `Interrupted` at the first Ctrl-C. */
  readonly signal: AbortSignal;
  /** Rejects at the first one. */
  readonly requested: Promise<never>;
  /** Rejects at the second one. */
  readonly atOnce: Promise<never>;
  /** What is said at the first one; it may change with what the command is doing. */
  onFirst(words: () => Promise<string> | string): void;
  end(): void;
}

/** Ends a command with exit code 130; everything was said when it was thrown. */
class Interrupted extends CliError {
  constructor() {
    super('', exitCodes.interrupted);
    this.name = 'Interrupted';
  }
}

/** @param whenLeft said at the second Ctrl-C. */
export function onShutdown(context: CliContext, whenLeft: string): Leaving {
  const stop = new AbortController();
  let first: () => Promise<string> | string = () => 'Stopping. Press Ctrl-C again to exit immediately.';
  let leave: (error: Interrupted) => void = () => undefined;
  const atOnce = new Promise<never>((_, reject) => {
    leave = reject;
  });
  const requested = new Promise<never>((_, reject) => {
    stop.signal.addEventListener('abort', () => reject(stop.signal.reason), { once: true });
  });
  // nobody may be waiting for them any more
  atOnce.catch(() => undefined);
  requested.catch(() => undefined);
  const end = context.onInterrupt((_signal, count) => {
    if (count > 1) {
      say(context, whenLeft);
      leave(new Interrupted());
      return;
    }
    stop.abort(new Interrupted());
    void Promise.race([first(), sleep(wordsPatienceMs).then(() => Promise.reject())]).then(
      (words) => say(context, words),
      () => say(context, 'Stopping. Press Ctrl-C again to exit immediately.'),
    );
  });
  return {
    signal: stop.signal,
    requested,
    atOnce,
    onFirst(words) {
      first = words;
    },
    end,
  };
}
