import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startInBackground } from './background-process.js';

export interface StudioProcessOptions {
  readonly home: string;
  readonly port: number;
  readonly render: 'film' | 'draft' | 'stub';
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Beside this file, with this file's own ending: the sources under tsx, the build otherwise. */
const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

/** Starts the home's own studio; its books are kept, so that a rehearsal can be audited too. Returns its process id. */
export async function startStudioProcess({ home, port, render, env }: StudioProcessOptions): Promise<number> {
  const main = fileURLToPath(new URL(`../cli/main.${ending}`, import.meta.url));
  const loader = ending === 'ts' ? ['--import', import.meta.resolve('tsx')] : [];
  const args = ['studio', '--port', String(port), '--data', join(home, 'studio'), '--render', render, '--books'];
  return startInBackground({
    file: process.execPath,
    args: [...loader, main, ...args],
    // By environment, since every user of the machine can read a command line.
    env: { ...env, GREENLIGHT_STUDIO_KEY: await studioKey(home) },
    port,
    logFile: join(home, 'logs', 'studio.log'),
  });
}

/** The key between this home and its studio: made once, readable by its owner only. */
export async function studioKey(home: string): Promise<string> {
  const path = join(home, 'studio.key');
  const stored = () => readFile(path, 'utf8').then((text) => text.trim());
  try {
    return await stored();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const key = `studio_${randomBytes(24).toString('base64url')}`;
  await mkdir(home, { recursive: true });
  try {
    await writeFile(path, `${key}\n`, { mode: 0o600, flag: 'wx' });
    return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return stored(); // another command made it first
  }
}
