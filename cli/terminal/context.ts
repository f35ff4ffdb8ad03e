import type { Readable, Writable } from 'node:stream';
import type { Command } from '@commander-js/extra-typings';
import type { ExitCode } from './exit-codes.js';

/** Everything a command may touch of the process that runs it. */
export interface CliContext {
  readonly stdin: Readable;
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Only what was asked for is printed, and errors. */
  readonly quiet?: boolean;
  /** The command line that starts this program, for its parts that are processes of their own. */
  readonly program: readonly string[];
  /** The code the process ends with, unless a later error says otherwise. */
  setExitCode(code: ExitCode): void;
  /** Calls back at the first SIGINT, SIGTERM or SIGHUP and at each later one; the returned function stops that. */
  onInterrupt(callback: (signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', count: number) => void): () => void;
}

/** Each command is a file that adds itself to the program. */
export type AddCommand = (program: Command, context: CliContext) => void;
