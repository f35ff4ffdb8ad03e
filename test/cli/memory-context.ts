import { PassThrough, Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { runProgram } from '../../cli/program.js';
import type { CliContext } from '../../cli/terminal/context.js';
import type { ExitCode } from '../../cli/terminal/exit-codes.js';

export interface Ended {
  readonly exitCode: ExitCode | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunCommandOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Told of each piece of stdout; may interrupt the command. */
  readonly onOutput?: (text: string, interrupt: () => void) => void;
}

/** The sources, as they are. */
const sourceProgram = [
  process.execPath,
  '--import',
  import.meta.resolve('tsx'),
  fileURLToPath(new URL('../../cli/main.ts', import.meta.url)),
];

/** Runs a command line in this process, without a terminal. */
export async function runCommand(
  args: readonly string[],
  { cwd, env = {}, onOutput }: RunCommandOptions,
): Promise<Ended> {
  let exitCode: ExitCode | null = null;
  let stdout = '';
  const listeners = new Set<Parameters<CliContext['onInterrupt']>[0]>();
  const interrupt = () => {
    for (const listener of listeners) listener('SIGINT', 1);
  };
  const [out, err] = [new PassThrough(), new PassThrough()];
  out.on('data', (chunk) => {
    stdout += chunk;
    onOutput?.(stdout, interrupt);
  });
  let stderr = '';
  err.on('data', (chunk) => {
    stderr += chunk;
  });
  const context: CliContext = {
    stdin: Readable.from([]),
    stdout: out,
    stderr: err,
    env,
    cwd,
    program: sourceProgram,
    setExitCode(code) {
      exitCode = code;
    },
    onInterrupt(callback) {
      listeners.add(callback);
      return () => listeners.delete(callback);
    },
  };
  await runProgram(args, context, '0.0.0');
  return { exitCode, stdout, stderr };
}
