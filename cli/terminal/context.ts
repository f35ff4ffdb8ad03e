import type { Readable, Writable } from 'node:stream';
import type { Command } from '@commander-js/extra-typings';

/** What an exit code promises to a script. */
export const exitCodes = {
  /** Every row of the sheet is delivered, or the command did what it says. */
  ok: 0,
  /** Finished, and something is not delivered, or findings are errors, or hashes differ. */
  incomplete: 1,
  /** Wrong usage, or a manifest that cannot be used. */
  usage: 2,
  /** Stopped for a person: approval, budget, a stop, another batch in the way. */
  stopped: 3,
  /** A part cannot be reached or refuses our credentials. */
  unreachable: 4,
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** A person's error: printed as one line without a stack, then the exit code. */
export class CliError extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CliError';
    this.exitCode = exitCode;
  }
}

/** Everything a command may touch of the process that runs it. */
export interface CliContext {
  readonly stdin: Readable;
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The command line that starts this program, for its parts that are processes of their own. */
  readonly program: readonly string[];
  /** The code the process ends with, unless a later error says otherwise. */
  setExitCode(code: ExitCode): void;
  /** Calls back at the first SIGINT, SIGTERM or SIGHUP and at each later one; the returned function stops that. */
  onInterrupt(callback: (signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', count: number) => void): () => void;
}

/** Each command is a file that adds itself to the program. */
export type AddCommand = (program: Command, context: CliContext) => void;
