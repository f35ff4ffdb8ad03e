import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { startInBackground } from './background-process.js';
import { requireStudio } from './require-studio.js';

export interface StudioProcessOptions {
  readonly home: string;
  readonly port: number;
  readonly render: 'film' | 'draft' | 'stub';
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The command line that starts this program. */
  readonly program: readonly string[];
  /** Called with its process id before it does anything. */
  readonly record: (pid: number) => void;
}

/**
 * Starts the home's own studio; its books are kept, so that a rehearsal can be audited too. Returns its process id.
 *
 * @throws ConfigError when the package of the studio is not installed.
 */
export async function startStudioProcess(options: StudioProcessOptions): Promise<number> {
  requireStudio('Cannot start the studio');
  const { home, port, render, env, program, record } = options;
  const [file = process.execPath, ...itsArgs] = program;
  const args = ['studio', '--port', String(port), '--data', join(home, 'studio'), '--render', render, '--books'];
  // Its events go to the workers of this home, on this machine.
  args.push('--loopback-webhooks');
  return startInBackground({
    file,
    args: [...itsArgs, ...args],
    // In the environment, since every user of the machine can read a command line.
    env: {
      ...env,
      GREENLIGHT_STUDIO_KEY: await studioKey(home),
      GREENLIGHT_STUDIO_WEBHOOK_SECRET: await webhookSecret(home),
    },
    port,
    record,
    logFile: join(home, 'logs', 'studio.log'),
  });
}

/** The key between this home and its studio: made once, readable by its owner only. */
export function studioKey(home: string): Promise<string> {
  return keptSecret(join(home, 'studio.key'), () => `studio_${randomBytes(24).toString('base64url')}`);
}

/** The secret with which the home's studio signs its events, stored like its key. */
export function webhookSecret(home: string): Promise<string> {
  return keptSecret(join(home, 'webhook.secret'), () => `whsec_${randomBytes(32).toString('base64')}`);
}

async function keptSecret(path: string, make: () => string): Promise<string> {
  const stored = () => readFile(path, 'utf8').then((text) => text.trim());
  try {
    return await stored();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  await mkdir(dirname(path), { recursive: true });
  // The file appears under its name whole or not at all, whatever ends this process.
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, `${make()}\n`, { mode: 0o600 });
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // another command made it first
  } finally {
    await rm(draft, { force: true });
  }
  return stored();
}
