import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { RivalWork } from './rival.js';

const rival = fileURLToPath(new URL('./rival.ts', import.meta.url));

/** Processes that do their work at the same moment. They are started by the first work and used again by the next. */
export interface Rivals {
  /** Tells each its work; resolves when all are ready with a function that lets them go, all at once. */
  prepare(works: readonly RivalWork[]): Promise<() => Promise<readonly (readonly string[])[]>>;
  end(): Promise<void>;
}

export function createRivals(): Rivals {
  const processes: ChildProcess[] = [];
  return {
    async prepare(works) {
      while (processes.length < works.length) {
        processes.push(fork(rival, { execArgv: ['--import', 'tsx'], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }));
      }
      const busy = processes.slice(0, works.length);
      await tell(busy, works);
      return async () => (await tell(busy, Array(busy.length).fill('go'))) as string[][]; // by rival.ts
    },
    async end() {
      const exits = processes.map((child) => once(child, 'exit'));
      for (const child of processes.splice(0)) child.disconnect();
      await Promise.all(exits);
    },
  };
}

/** Says each its message at once, and waits for all answers. */
async function tell(processes: readonly ChildProcess[], messages: readonly (RivalWork | 'go')[]): Promise<unknown[]> {
  const answers = processes.map((child) => answerOf(child));
  for (const [index, child] of processes.entries()) child.send(messages[index] ?? 'go');
  return Promise.all(answers);
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  const over = new AbortController();
  const ended = once(child, 'exit', { signal: over.signal }).then(([code]) => {
    throw new Error(`a rival process ended with ${code} before it answered`);
  });
  ended.catch(() => undefined); // it ends after the tests, too
  const [answer] = await Promise.race([once(child, 'message'), ended]);
  over.abort();
  return answer;
}
