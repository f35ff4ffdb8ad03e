import { createInterface } from 'node:readline';
import type { CliContext } from './context.js';

/** Several questions, one after the other, on stderr. */
export interface Questions {
  /** The answer, trimmed; null once the person leaves by Ctrl-C or Ctrl-D. */
  ask(question: string): Promise<string | null>;
  close(): void;
}

export function openQuestions({ stdin, stderr }: Pick<CliContext, 'stdin' | 'stderr'>): Questions {
  const lines = createInterface({ input: stdin, output: stderr });
  // Also what was typed or pasted ahead is an answer.
  const answers = lines[Symbol.asyncIterator]();
  lines.once('SIGINT', () => lines.close());
  return {
    async ask(question) {
      lines.setPrompt(question);
      lines.prompt();
      const { value, done } = await answers.next();
      if (!done) return value.trim();
      stderr.write('\n');
      return null;
    },
    close: () => lines.close(),
  };
}
