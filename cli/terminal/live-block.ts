import type { CliContext } from './context.js';
import { lazyRequire } from './lazy-require.js';

/** Two redraws a second: enough to feel alive, and light on a slow connection. */
export const redrawMs = 500;

/** How progress is shown. */
export type ProgressMode = 'live' | 'plain' | 'quiet';

/** Lines at the foot of the terminal that are redrawn in place; what is said goes above them and stays. */
export interface LiveBlock {
  draw(lines: readonly string[]): void;
  say(line: string): void;
  /** Removes the block; what was said stays. */
  end(): void;
}

/** Chooses what this terminal can show. `ACCESSIBLE` keeps a screen reader's lines in place. */
export function progressMode(asked: 'auto' | ProgressMode, { stderr, env, quiet }: CliContext): ProgressMode {
  if (quiet) return 'quiet';
  if (asked !== 'auto') return asked;
  return stderr.isTTY && env.TERM !== 'dumb' && !env.ACCESSIBLE ? 'live' : 'plain';
}

/** The block at the foot of a stream. */
const blocks = new WeakMap<CliContext['stderr'], LiveBlock>();

/** The block that is drawn on this stream just now, if any. */
export function liveBlockOn(stream: CliContext['stderr']): LiveBlock | undefined {
  return blocks.get(stream);
}

export function createLiveBlock({ stderr }: Pick<CliContext, 'stderr'>): LiveBlock {
  const { createLogUpdate } = lazyRequire('log-update') as typeof import('log-update');
  // log-update asks for a stream of the process; it writes, and reads columns and rows.
  const update = createLogUpdate(stderr as NodeJS.WriteStream);
  let drawn: readonly string[] = [];
  const block: LiveBlock = {
    draw(lines) {
      drawn = lines;
      update(lines.join('\n'));
    },
    say(line) {
      update.clear();
      stderr.write(`${line}\n`);
      if (drawn.length > 0) update(drawn.join('\n'));
    },
    end() {
      drawn = [];
      blocks.delete(stderr);
      update.clear();
      update.done();
    },
  };
  blocks.set(stderr, block);
  return block;
}
