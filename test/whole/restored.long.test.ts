import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { expectPromisesKept, makeHome, threeBriefs } from './home.js';

const minutes = 60_000;
const money = ['--budget', '20USD', '--yes'];
const more = `${threeBriefs}pier,"A wooden pier in fog, one lamp still lit",5,16:9
`;

describe('a ledger that was put back from a backup', () => {
  test('orders nothing until somebody has looked, and then nothing twice', { timeout: 6 * minutes }, async () => {
    const home = await makeHome();
    const first = await home.run(['run', await home.sheet(threeBriefs), ...money]);
    expect(first.code, first.stderr).toBe(0);
    const backup = join(home.folder, 'backup');
    await copyLedger(home.home, backup);
    const sheet = await home.sheet(more);
    expect(await home.json(['run', sheet, ...money])).toMatchObject({ batch: 'sheet-2' });
    await copyLedger(backup, home.home);

    for (const command of [
      ['run', sheet, ...money],
      ['submit', sheet, ...money.slice(0, 2)],
    ]) {
      const refused = await home.run(command);
      expect(refused.code, refused.stderr).toBe(3);
      expect(refused.stderr).toMatch(
        /^Cannot order: the archive is ahead of this ledger by \d+ entr.*greenlight reconcile restored"$/m,
      );
    }
    const worker = home.start(['worker']);
    await home.until(worker, () => /^Working: /m.test(worker.stderr()));
    expect(worker.stderr()).toMatch(/^Cannot order: .*movies in progress continue$/m);
    worker.signal('SIGTERM');
    await worker.ended;
    const looked = await home.json<Comparison>(['reconcile', 'restored'], { code: 3 });
    expect(looked).toMatchObject({ lifted: false, movies_not_in_books: [{ batch: 'sheet-2', id: 'pier' }] });
    const lifted = await home.run(['reconcile', 'restored', '--reason', 'the disk of Monday']);
    expect(lifted.code, lifted.stderr).toBe(0);
    expect(lifted.stdout).toContain('Ordering resumes');

    // What the archive has is a duplicate; ordered again all the same, the service knows its key.
    const again = await home.run(['run', sheet, ...money]);
    expect(again.code, again.stderr).toBe(1);
    expect(again.stderr).toMatch(/^duplicate\? +1 /m);
    const allowed = await home.run(['run', sheet, ...money, '--allow-duplicates']);
    expect(allowed.code, allowed.stderr).toBe(0);
    const books = await home.books();
    expect(books.movies).toHaveLength(4);
    expect(books.creates).toHaveLength(4);
    await expectPromisesKept(home, books);
  });
});

interface Comparison {
  readonly lifted: boolean;
  readonly movies_not_in_books: readonly { readonly batch: string; readonly id: string }[];
}

/** The database and the files beside it, as an operator copies them while nothing runs. */
async function copyLedger(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  const isLedger = (name: string) => name.startsWith('ledger.db');
  for (const name of (await readdir(to)).filter(isLedger)) await rm(join(to, name));
  for (const name of (await readdir(from)).filter(isLedger)) await cp(join(from, name), join(to, name));
}
