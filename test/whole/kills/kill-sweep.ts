import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { findHolders } from '../../../home/holders.js';
import { type Random, seeded } from '../../simulation/random.js';
import { type Command, expectPromisesKept, type Home, makeHome, type Seen } from '../home.js';

const rowCount = 60;
const header = 'id,prompt,duration_seconds';
const sheet = [header, ...Array.from({ length: rowCount }, (_, n) => `row-${n},A ferry leaves at ${n} o'clock,5`)];

/** Who dies: the command with all its children, the command alone, its parts, or one of them. */
const victims = ['group', 'group and parts', 'command', 'temporal', 'studio', 'parts'] as const;

/** Longer than anything here takes on a loaded machine: whoever does nothing for so long is stuck. */
const patienceMs = 120_000;

/**
 * One sheet, killed again and again at points that a seed chooses, until it is made: then the books, the ledger, the
 * archive and the certificate are exact, and nothing is left behind.
 *
 * @param most kills; a sheet that is made before them is done.
 * @returns whom it killed.
 */
export async function killUntilMade(seed: number, most: number): Promise<readonly string[]> {
  const random = seeded(seed, 'kills');
  const home = await makeHome();
  const run = ['run', await home.sheet(`${sheet.join('\n')}\n`), '--budget', '500USD', '--yes'];
  const killed: string[] = [];
  let command = home.start(run);
  while (killed.length < most && (await reaches(home, command, point(random)))) {
    const victim = random.pick(victims);
    await sleep(random.below(120));
    await kill(home, command, victim);
    killed.push(victim);
    const left = await Promise.race([command.ended, goesOn(home, command)]);
    if (left !== 'goes on') command = home.start(run);
  }
  await Promise.race([command.ended, sleep(patienceMs, undefined, { ref: false })]);
  await expectMade(home, run);
  return killed;
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
async function reaches(home: Home, command: Command, isThere: Point): Promise<boolean> {
  const deadline = AbortSignal.timeout(patienceMs);
  const seen = await home
    .until(command, (now) => isThere(now) || now.state === 'closed' || deadline.aborted)
    .catch(() => null);
  if (deadline.aborted) throw new Error(`Nothing goes on: ${JSON.stringify(seen)}, ${command.stderr().slice(-400)}`);
  return seen !== null && seen.state !== 'closed';
}

async function kill(home: Home, command: Command, victim: (typeof victims)[number]): Promise<void> {
  switch (victim) {
    case 'group':
      return command.signal('SIGKILL');
    case 'group and parts':
      command.signal('SIGKILL');
      return home.killParts();
    case 'command':
      process.kill(command.pid, 'SIGKILL');
      return;
    case 'parts':
      return home.killParts();
    case 'temporal':
    case 'studio':
      return home.killPart(victim);
    default:
      return victim satisfies never;
  }
}

/** A command whose parts died may go on; one that was killed, or gives up, ends. */
async function goesOn(home: Home, command: Command): Promise<'goes on'> {
  let before: string | null = null;
  await home.until(command, ({ state, rows }) => {
    const now = JSON.stringify({ state, rows });
    before ??= now;
    return now !== before || state === 'closed';
  });
  return 'goes on';
}

async function expectMade(home: Home, run: readonly string[]): Promise<void> {
  // Once all is made, the same sheet is the next batch, in which nothing is to be ordered.
  const { counts } = await home.json<{ counts: Readonly<Record<string, number>> }>(run);
  expect([{ delivered: rowCount }, { unchanged: rowCount }]).toContainEqual(counts);
  const books = await home.books();
  expect(books.creates).toHaveLength(rowCount);
  expect(await home.aliveParts()).toEqual([]);
  expect(findHolders(home.home)).toEqual([]);
  const files = await readdir(home.archive, { recursive: true });
  expect(files.filter((path) => /\.part$|(^|\/)\.(?!ledgers)/.test(path))).toEqual([]);
  await expectPromisesKept(home, books);
}
