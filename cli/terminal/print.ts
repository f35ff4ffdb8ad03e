import type { CliContext } from './context.js';
import { liveBlockOn } from './live-block.js';
import { wrapWords } from './text-width.js';

/** One line for people, on stdout: what the command was asked for. */
export function printLine({ stdout }: Pick<CliContext, 'stdout'>, line = ''): void {
  stdout.write(fitted(stdout, line));
}

/** One JSON document, indented only for a terminal. */
export function printJson({ stdout }: Pick<CliContext, 'stdout'>, value: unknown): void {
  stdout.write(`${JSON.stringify(value, null, stdout.isTTY ? 2 : undefined)}\n`);
}

/** A line about what happens, on stderr, above what is redrawn at its foot: never part of what a program reads. */
export function say({ stderr, quiet }: Pick<CliContext, 'stderr' | 'quiet'>, line: string): void {
  if (quiet) return;
  const text = fitted(stderr, line);
  const block = liveBlockOn(stderr);
  if (block) block.say(text.trimEnd());
  else stderr.write(text);
}

/** What comes next, for somebody who sits there; a script knows what it does next. */
export function sayNext(context: Pick<CliContext, 'stdout' | 'stderr' | 'quiet'>, command: string): void {
  if (context.stdout.isTTY) say(context, `Next: ${command}`);
}

/** Text of several lines, each broken between words where a terminal would tear it; the rest of one is indented more. */
export function fitLines(stream: CliContext['stdout'], text: string): string {
  if (!stream.isTTY) return text;
  const columns = Math.max(stream.columns ?? 80, 20);
  const indentOf = (line: string) => `${/^ */.exec(line)?.[0]}  `;
  return text
    .split('\n')
    .flatMap((line) => wrapWords(line, columns, indentOf(line)))
    .join('\n');
}

/** A terminal gets long sentences broken between words; a pipe gets them whole. */
function fitted(stream: CliContext['stdout'], line: string): string {
  const lines = stream.isTTY ? wrapWords(line, Math.max(stream.columns ?? 80, 20)) : [line];
  return `${lines.join('\n')}\n`;
}
