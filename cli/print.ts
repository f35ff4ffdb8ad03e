import type { CliContext } from './context.js';

/** One line for people, on stdout: what the command was asked for. */
export function printLine({ stdout }: Pick<CliContext, 'stdout'>, line = ''): void {
  stdout.write(`${line}\n`);
}

/** One JSON document, indented only for a terminal. */
export function printJson({ stdout }: Pick<CliContext, 'stdout'>, value: unknown): void {
  stdout.write(`${JSON.stringify(value, null, stdout.isTTY ? 2 : undefined)}\n`);
}

/** A line about what happens, on stderr: never part of what a program reads. */
export function say({ stderr }: Pick<CliContext, 'stderr'>, line: string): void {
  stderr.write(`${line}\n`);
}
