import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Part } from './services.js';

/**
 * Finds the processes of this machine that work in the home's own folders, recorded or not: two servers over one
 * database file start without complaint. They are recognised by their command lines, which Linux shows to everybody;
 * on other systems none is found.
 */
export function findHolders(home: string): readonly Part[] {
  const homes = [...new Set([home, realPath(home)])];
  return processIds().flatMap((pid): readonly Part[] => {
    const args = argumentsOf(pid);
    const port = Number(after(args, '--port'));
    const holds = (flag: string, name: string) => homes.some((folder) => after(args, flag) === join(folder, name));
    if (args.includes('start-dev') && holds('--db-filename', 'temporal.db')) return [{ name: 'temporal', pid, port }];
    if (args.includes('studio') && holds('--data', 'studio')) return [{ name: 'studio', pid, port }];
    return [];
  });
}

function processIds(): readonly number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid);
}

function argumentsOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return []; // it has ended, or is another user's
  }
}

function after(args: readonly string[], flag: string): string | undefined {
  const at = args.indexOf(flag);
  return at < 0 ? undefined : args[at + 1];
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // it does not exist yet
  }
}
