import { existsSync } from 'node:fs';
import { accepts } from '../../home/background-process.js';
import type { Config } from '../../home/config.js';
import { findHolders } from '../../home/holders.js';
import { openParts, type Part } from '../../home/services.js';
import { roomOnDisk } from './disk.js';

/**
 * The home's folder, and who works in it. Makes nothing.
 *
 * @throws Error naming what is amiss.
 */
export async function diagnoseHome({ home }: Pick<Config, 'home'>): Promise<string> {
  const room = await roomOnDisk(home);
  if (!existsSync(home)) return `${home}, made when it is needed, ${room}`;
  const { running, users } = await whoRuns(home);
  for (const { name } of running) refuseSeveral(home, name, running);
  for (const part of running) await refuseDeaf(part);
  const parts = running.map(({ name, pid }) => `${name} (process ${pid})`).join(' and ');
  if (parts === '') return `${home}, ${room}`;
  if (users > 0) return `${home}, ${room}, runs ${parts}`;
  return `${home}, ${room}, ${parts} left running; the next run or worker uses it, and stops it when it ends`;
}

async function whoRuns(home: string): Promise<{ readonly running: readonly Part[]; readonly users: number }> {
  const parts = await openParts(home);
  try {
    const recorded = (['temporal', 'studio'] as const).flatMap((name) => parts.running(name) ?? []);
    const known = new Set(recorded.map(({ pid }) => pid));
    const others = findHolders(home).filter(({ pid }) => !known.has(pid));
    return { running: [...recorded, ...others], users: parts.users().length };
  } finally {
    parts.close();
  }
}

function refuseSeveral(home: string, name: string, running: readonly Part[]): void {
  const pids = running.filter((part) => part.name === name).map(({ pid }) => pid);
  if (pids.length < 2) return;
  throw new Error(
    `Cannot trust ${home}: ${name} runs in it ${pids.length} times (processes ${pids.join(', ')}); the next run or worker keeps one and stops the others`,
  );
}

async function refuseDeaf({ name, pid, port }: Part): Promise<void> {
  if (await accepts(port)) return;
  throw new Error(
    `Cannot reach ${name} of this home: process ${pid} does not answer at port ${port}; the next run or worker replaces it`,
  );
}
