import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ledger = fileURLToPath(new URL('../../ledger/', import.meta.url));
const cases = readFileSync(fileURLToPath(new URL('access/doors.case.ts', import.meta.url)), 'utf8');

/**
 * What the product itself writes under a name of its own: it may stop, seal and approve by policy, which are tested apart.
 * And what a guest of a link says of a movie, which spends nothing.
 */
const ownWrites = [
  'auditedAct',
  'checkArchiveMarks',
  'noteRestart',
  'recordRefusedToken',
  'reviewAsGuest',
  'sealBatch',
];

interface Door {
  readonly name: string;
  /** It asks for the role in the transaction of the change. */
  readonly guarded: boolean;
}

/** Exported functions that change the ledger in somebody's name. */
function doorsOf(source: string): readonly Door[] {
  const functions = source.matchAll(/^export (?:async )?function (\w+)(.*?)^}/gms);
  return [...functions].flatMap(([, name = '', body = '']) => {
    const guarded = /\bauditedAct\(/.test(body);
    return guarded || (/\bactor\b/.test(body) && /ledger\.write\(/.test(body)) ? [{ name, guarded }] : [];
  });
}

describe('every door to the ledger', () => {
  const files = readdirSync(ledger, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const doors = files.flatMap((name) => doorsOf(readFileSync(ledger + name, 'utf8')));

  test('asks for the role inside the change', () => {
    const open = doors.filter(({ guarded }) => !guarded).map(({ name }) => name);
    expect(open.toSorted()).toEqual(ownWrites);
  });

  test('is tried with every role', () => {
    const guarded = doors.filter((door) => door.guarded).map(({ name }) => name);
    expect(guarded.length).toBeGreaterThan(15);
    expect(guarded.filter((name) => !cases.includes(`${name}(`))).toEqual([]);
  });

  test('is found, were it new and open', () => {
    const planted = `export async function giveAway(ledger: Ledger, { actor }: Gift): Promise<void> {
  await ledger.write((tx) => spend(tx, actor));
}
`;
    expect(doorsOf(planted)).toEqual([{ name: 'giveAway', guarded: false }]);
  });
});
