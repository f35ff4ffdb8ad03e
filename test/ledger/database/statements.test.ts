import Database from 'better-sqlite3';
import { afterEach, expect, test, vi } from 'vitest';
import { sqliteDatabases } from '../databases.js';
import { setTheScene } from '../scene.js';

const databases = sqliteDatabases();
afterEach(async () => {
  vi.restoreAllMocks();
  await databases.clear();
});

test('the statements for one movie serve all others: no row is a part of their text', async () => {
  const { ledger } = await databases.open({ solo: false });
  const scene = setTheScene(ledger);
  for (const path of ['acme', 'acme/spring']) await scene.fund(path, 1_000_000);
  const batchId = await scene.make(['first-row', 'second-row', 'third-row']);
  await scene.deliver(batchId, 'first-row');
  const prepare = vi.spyOn(Database.prototype, 'prepare');
  for (const rowKey of ['second-row', 'third-row']) await scene.deliver(batchId, rowKey);
  expect(prepare.mock.calls).toEqual([]);
});
