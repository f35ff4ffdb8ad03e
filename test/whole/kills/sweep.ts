import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { findHolders } from '../../../home/holders.js';
import type { Ledger } from '../../../ledger/ledger.js';
import type { Books } from '../../../studio/books.js';
import { brokenPromises } from '../../oracle.js';
import { type Random, seeded } from '../../simulation/random.js';
import type { Command, Home, Seen } from '../home.js';

export const rowCount = 60;
const header = 'id,prompt,duration_seconds';
const rows = Array.from({ length: rowCount }, (_, n) => `row-${n},A ferry leaves at ${n} o'clock,5`);
export const sheet = `${[header, ...rows].join('\n')}\n`;

/** Longer than anything here takes on a loaded machine: whoever does nothing for so long is stuck. */
const patienceMs = 180_000;

/** What is killed, and how it goes on. */
export interface Swept<Victim extends string> {
  readonly victims: readonly Victim[];
  /** Starts what makes the movies; also after it was killed. */
  start(): Command;
  /** Waits until the ledger says so; rejects where the command ends first. */
  until(command: Command, isSo: (seen: Seen) => boolean): Promise<Seen>;
  kill(command: Command, victim: Victim): Promise<void>;
}

/**
 * Kills at points that a seed chooses, until all is made or it was done so often.
 *
 * @returns whom it killed, and the command that has gone on to the end.
 */
export async function sweep<Victim extends string>(
  swept: Swept<Victim>,
  { seed, most }: { readonly seed: number; readonly most: number },
): Promise<{ readonly killed: readonly Victim[]; readonly command: Command }> {
  const random = seeded(seed, 'kills');
  const killed: Victim[] = [];
  let command = swept.start();
  while (killed.length < most && (await reaches(swept, command, point(random)))) {
    const victim = random.pick(swept.victims);
    await sleep(random.below(120));
    await swept.kill(command, victim);
    killed.push(victim);
    const left = await Promise.race([command.ended, goesOn(swept, command)]);
    if (left !== 'goes on') command = swept.start();
  }
  const isMade = swept.until(command, ({ state }) => state === 'closed').catch(() => undefined);
  await Promise.race([isMade, sleep(patienceMs, undefined, { ref: false })]);
  return { killed, command };
}

type Point = (seen: Seen) => boolean;

function point(random: Random): Point {
  const least = random.between(0, rowCount - 1);
  return random.pick<Point>([
    ({ state }) => state === 'preparing' || state === 'making',
    ({ rows }) => (rows.ordering ?? 0) > 0,
    ({ rows }) => (rows.archiving ?? 0) > 0,
    ({ rows }) => (rows.running ?? 0) + (rows.archiving ?? 0) + (rows.delivered ?? 0) > least,
    ({ rows }) => (rows.delivered ?? 0) > least,
  ]);
}

/** @returns false where the command ended, or the sheet was made, before the point came. */
async function reaches({ until }: Pick<Swept<never>, 'until'>, command: Command, isThere: Point): Promise<boolean> {
  const deadline = AbortSignal.timeout(patienceMs);
  const seen = await until(command, (now) => isThere(now) || now.state === 'closed' || deadline.aborted).catch(
    () => null,
  );
  if (deadline.aborted) throw new Error(`Nothing goes on: ${JSON.stringify(seen)}, ${command.stderr().slice(-400)}`);
  return seen !== null && seen.state !== 'closed';
}

/** A command whose parts died may go on; one that was killed, or gives up, ends. */
async function goesOn({ until }: Pick<Swept<never>, 'until'>, command: Command): Promise<'goes on'> {
  let before: string | null = null;
  const deadline = AbortSignal.timeout(patienceMs);
  await until(command, ({ state, rows: counts }) => {
    const now = JSON.stringify({ state, counts });
    before ??= now;
    return now !== before || state === 'closed' || deadline.aborted;
  });
  if (deadline.aborted) throw new Error(`Nothing goes on since a kill: ${before}, ${command.stderr().slice(-400)}`);
  return 'goes on';
}

interface Made {
  readonly ledger: Ledger;
  readonly books: Books;
}

/** Books, ledger, archive and certificate are exact, and nothing is left behind. */
export async function expectMade(home: Home, { ledger, books }: Made): Promise<void> {
  expect(books.creates).toHaveLength(rowCount);
  expect(await home.aliveParts()).toEqual([]);
  expect(findHolders(home.home)).toEqual([]);
  const files = await readdir(home.archive, { recursive: true });
  expect(files.filter((path) => /\.part$|(^|\/)\.(?!ledgers|archive\.json)/.test(path))).toEqual([]);
  expect(await brokenPromises({ ledger, books, archiveFolder: home.archive })).toEqual([]);
}
