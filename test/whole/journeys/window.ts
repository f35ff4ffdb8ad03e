import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import stringWidth from 'string-width';
import { expect, inject, onTestFinished } from 'vitest';
import { builtProgram } from '../build.js';

const exec = promisify(execFile);
const main = await builtProgram();

/** A terminal as people have it: 80 columns, a shell, and the program under its name. */
export interface Window {
  /** Types a command, and gives what stood on the screen when the prompt was back. */
  run(command: string): Promise<string>;
  /** Types a command that goes on. */
  start(command: string): Promise<void>;
  /** Waits until the screen says so; gives what it shows. */
  until(words: RegExp): Promise<string>;
  /** Answers a question, and gives the screen at the next prompt. */
  answer(text: string): Promise<string>;
  /** Presses Ctrl-C, and gives the screen at the next prompt. */
  interrupt(): Promise<string>;
  /** What is to be typed must have been named by a screen before, in any window of the journey. */
  readonly columns: number;
}

export interface WindowOptions {
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
}

/** What the screens of one journey have said; commands are typed only after they were named. */
export class Journey {
  #said = '';
  readonly #socket = `greenlight-${process.pid}-${randomBytes(4).toString('hex')}`;
  #windows = 0;

  /** Words that somebody knows from elsewhere: their own files, an invoice, a token. */
  know(...words: readonly string[]): void {
    this.#said += ` ${words.join(' ')} `;
  }

  async open({ folder, env = {}, columns = 80 }: WindowOptions): Promise<Window> {
    this.#windows += 1;
    const name = `window${this.#windows}`;
    const tmux = (...args: readonly string[]) => exec('tmux', ['-L', this.#socket, '-f', '/dev/null', ...args]);
    const rc = join(folder, `.${name}.bashrc`);
    await writeFile(rc, `greenlight() { "${process.execPath}" "${main}" "$@"; }\nPS1='[\\#:$?]> '\n`);
    const { PATH = '', HOME = '' } = process.env;
    const given = {
      ...{ PATH, HOME, TERM: 'xterm-256color', LANG: 'C.UTF-8', GREENLIGHT_HOME: join(folder, 'home') },
      ...{ GREENLIGHT_STUDIO_RENDER: 'stub', TEMPORAL_CLI_PATH: inject('devServer') },
      ...env,
    };
    const variables = Object.entries(given).map(([key, value]) => `${key}=${value}`);
    const size = ['-x', String(columns), '-y', '60'];
    const shell = ['env', '-i', ...variables, 'bash', '--noprofile', '--rcfile', rc];
    await tmux('new-session', '-d', '-s', name, '-c', folder, ...size, ...shell);
    onTestFinished(async () => {
      await tmux('kill-session', '-t', name).catch(() => undefined);
    });
    return this.#windowOf({ name, tmux, columns });
  }

  #windowOf({ name, tmux, columns }: OpenWindow): Window {
    const screen = async () => {
      const { stdout } = await tmux('capture-pane', '-p', '-J', '-S', '-', '-t', name);
      return stdout.replace(/[ \n]+$/, '');
    };
    let prompts = 0;
    const until = async (words: RegExp) => {
      for (let looks = 0; looks < 900; looks += 1) {
        const text = await screen();
        if (words.test(text)) return text;
        await sleep(100); // a terminal does not tell when it changes
      }
      throw new Error(`The screen never showed ${words}:\n${await screen()}`);
    };
    const promptAgain = async () => {
      const text = await until(new RegExp(`\\[(?!${prompts}:)\\d+:\\d+\\]>$`));
      prompts = Number(/\[(\d+):\d+\]>$/.exec(text)?.[1]);
      const said = text.replace(/\n?\[\d+:\d+\]>$/, '');
      this.#check(said, columns);
      return said;
    };
    const type = async (text: string) => {
      await tmux('send-keys', '-t', name, '-l', text);
      await tmux('send-keys', '-t', name, 'Enter');
    };
    const start = async (command: string) => {
      this.#requireNamed(command);
      if (prompts === 0) prompts = Number(/\[(\d+):\d+\]>$/.exec(await until(/\[\d+:\d+\]>$/))?.[1]);
      await tmux('send-keys', '-t', name, '-R');
      await tmux('clear-history', '-t', name);
      await type(command);
    };
    return {
      ...{ columns, until, start },
      async run(command) {
        await start(command);
        return promptAgain();
      },
      async answer(text) {
        await type(text);
        return promptAgain();
      },
      async interrupt() {
        await tmux('send-keys', '-t', name, 'C-c');
        return promptAgain();
      },
    };
  }

  /** Nothing is torn by the terminal, and somebody who reads it knows what to type next, or which file to open. */
  #check(text: string, columns: number): void {
    const [, ...lines] = text.split('\n');
    expect(
      lines.filter((line) => stringWidth(line) > columns),
      text,
    ).toEqual([]);
    // What is redrawn while one waits is gone when the prompt is back, or it is a piece that a line was torn from.
    expect(
      lines.filter((line) => /^(?:priced \d+\/\d+$|\[[#~.]*\]?$)/.test(line)),
      text,
    ).toEqual([]);
    const said = lines.join(' ').replace(/\s+/g, ' '); // a line may end within a command
    expect(said, `no next step:\n${text}`).toMatch(/greenlight [a-z]+|\.(?:html|zip)\b/);
    this.#said += ` ${said} `;
  }

  #requireNamed(command: string): void {
    const words = command.match(/"[^"]*"|\S+/g) ?? [];
    const named = new Set(this.#said.split(/\s+/).flatMap((word) => [word, word.replace(/^["(]+|[").:;,]+$/g, '')]));
    const unknown = words.filter((word) => !word.startsWith('"') && !named.has(word));
    expect(unknown, `"${command}" was not named by any screen before`).toEqual([]);
  }
}

interface OpenWindow {
  readonly name: string;
  readonly tmux: (...args: readonly string[]) => Promise<{ readonly stdout: string }>;
  readonly columns: number;
}
