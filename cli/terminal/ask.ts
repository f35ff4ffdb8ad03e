import { createInterface } from 'node:readline/promises';
import type { CliContext } from './context.js';
import { fitLines } from './print.js';

/** Whether somebody sits there to be asked. */
export function canAsk({ stdin, stderr }: CliContext): boolean {
  return (stdin as { readonly isTTY?: boolean }).isTTY === true && stderr.isTTY === true;
}

/**
 * Asks one question on stderr and gives the answer, trimmed. Ctrl-C, Ctrl-D and an empty line are an empty answer,
 * which means no.
 */
export async function ask({ stdin, stderr }: CliContext, question: string): Promise<string> {
  const broken = fitLines(stderr, question.trimEnd());
  const last = broken.lastIndexOf('\n') + 1;
  stderr.write(broken.slice(0, last)); // what is edited is one line
  const lines = createInterface({ input: stdin, output: stderr });
  const refused = new AbortController();
  lines.once('SIGINT', () => refused.abort());
  lines.once('close', () => refused.abort());
  try {
    return (await lines.question(`${broken.slice(last)} `, { signal: refused.signal })).trim();
  } catch (error) {
    if (!refused.signal.aborted) throw error;
    stderr.write('\n');
    return '';
  } finally {
    lines.close();
  }
}
