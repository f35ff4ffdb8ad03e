import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { runProgram } from '../../cli/program.js';
import type { CliContext } from '../../cli/terminal/context.js';
import type { ExitCode } from '../../cli/terminal/exit-codes.js';
import { type Ledger, openLedger } from '../../ledger/ledger.js';
import { type Scene, setTheScene } from '../ledger/scene.js';

/** A home with a real ledger, and a terminal in it. Nothing runs there: workers would find what commands record. */
export interface Place {
  readonly folder: string;
  readonly ledger: Ledger;
  readonly scene: Scene;
  run(args: readonly string[], options?: TerminalOptions): Promise<Ran>;
  /** What a command may touch, over this place. */
  context(options: TerminalOptions): TestContext;
  close(): Promise<void>;
}

export interface TerminalOptions {
  /** Somebody sits there. */
  readonly tty?: boolean;
  /** What they type, a line at a time. */
  readonly types?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
}

export interface Ran {
  readonly out: string;
  readonly err: string;
  readonly code: ExitCode;
}

/** The scene's clock is the machine's, as that of the commands. */
export async function openPlace(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'greenlight-cli-'));
  const home = join(folder, 'home');
  const ledger = await openLedger({ url: `sqlite:${join(home, 'ledger.db')}` });
  const scene = setTheScene(ledger);
  scene.nowMs = Date.now();
  return {
    ...{ folder, ledger, scene },
    run: async (args, options = {}) => {
      const context = contextAt({ folder, home }, options);
      await runProgram(args, context, '0.0.0');
      return { out: context.stdout.text, err: context.stderr.text, code: context.code() };
    },
    context: (options) => contextAt({ folder, home }, options),
    async close() {
      await ledger.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface TestContext extends CliContext {
  readonly stdout: Screen;
  readonly stderr: Screen;
  code(): ExitCode;
}

function contextAt(
  { folder, home }: { readonly folder: string; readonly home: string },
  { tty = false, types = [], env = {}, columns = 80 }: TerminalOptions,
): TestContext {
  const stdin = Object.assign(new PassThrough(), { isTTY: tty });
  for (const line of types) stdin.write(`${line}\n`);
  let code: ExitCode = 0;
  return {
    ...{ stdin, stdout: new Screen(tty, columns), stderr: new Screen(tty, columns), cwd: folder, program: [] },
    env: { GREENLIGHT_HOME: home, NO_COLOR: '1', ...env },
    setExitCode: (given) => {
      code = given;
    },
    code: () => code,
    onInterrupt: () => () => undefined,
  };
}

/** What a terminal or a pipe was given. */
export class Screen extends Writable {
  text = '';
  /** Called with what is written, as it is written. */
  onText: (text: string) => void = () => undefined;
  readonly isTTY: boolean;
  readonly columns: number;

  constructor(isTTY: boolean, columns: number) {
    super();
    this.isTTY = isTTY;
    this.columns = columns;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    const text = chunk.toString();
    this.text += text;
    done();
    this.onText(text);
  }
}
