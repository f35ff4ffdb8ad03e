import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { expectPromisesKept, makeHome, threeBriefs, tomorrow } from '../home.js';

const money = ['--budget', '20USD', '--yes'];

test('old batches go into the archive and come back; a kill in between loses nothing', async () => {
  const home = await makeHome();
  const made = await home.run(['run', await home.sheet(threeBriefs), ...money]);
  expect(made.code, made.stderr).toBe(0);
  const archive = ['archive-batches', '--before', tomorrow()];
  expect((await home.run([...archive, '--preview'])).stdout).toBe('sheet-1\n1 batch would be archived\n');
  const killed = home.start(archive);
  await vi.waitFor(() => access(join(home.archive, 'ledger', 'sheet-1')), { timeout: 60_000, interval: 2 });
  killed.signal('SIGKILL');
  await killed.ended;
  const again = await home.run(archive);
  expect(again.code, again.stderr).toBe(0);
  const files = await readdir(join(home.archive, 'ledger', 'sheet-1'));
  expect(files.filter((name) => !name.startsWith('.'))).toHaveLength(1);

  const status = await home.run(['status', 'sheet-1']);
  expect(status.stdout).toMatch(/3 of 3 rows delivered; archived /);
  expect(status.stdout).toContain('greenlight archive-batches --restore sheet-1');
  const verified = await home.run(['verify', 'sheet-1']);
  expect([verified.code, verified.stdout]).toEqual([0, 'sheet-1  checksums verified: 12\n']);
  const audit = await home.run(['audit', 'verify']);
  expect(audit.code, audit.stdout).toBe(0);
  expect((await home.run(['budget', 'list'])).stdout).toContain('sheet');
  for (const refused of [
    ['show', 'sheet-1', 'ferry'],
    ['results', 'sheet-1'],
    ['bundle', 'sheet-1'],
  ]) {
    const { code, stderr } = await home.run(refused);
    expect([code, stderr], refused.join(' ')).toEqual([3, expect.stringContaining('--restore sheet-1')]);
  }
  const unchanged = await home.run(['run', join(home.folder, 'sheet.csv'), ...money]);
  expect(unchanged.stdout, unchanged.stderr).toContain('all 3 rows are delivered already');

  const back = await home.run(['archive-batches', '--restore', 'sheet-1']);
  expect(back.code, back.stderr).toBe(0);
  expect((await home.run(['show', 'sheet-1', 'ferry'])).stdout).toContain('A night ferry leaves');
  await expectPromisesKept(home, await home.books());
});
