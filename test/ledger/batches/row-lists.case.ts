import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rowStates } from '../../../domain/row-state.js';
import type { RowFilter } from '../../../ledger/batches/row-filter.js';
import { listRowLines } from '../../../ledger/batches/row-lines.js';
import { countRows, countsOfMany, listRows, type RowView } from '../../../ledger/batches/rows.js';
import type { Databases } from '../databases.js';
import { suite } from '../suite.js';

/** More than share a prefix are looked for in the order of the sheet. */
const keys = [...Array.from({ length: 1_100 }, (_, index) => `film-${index}`), ...['a%b', 'a_b', 'å', 'zz']];

function matches(row: RowView, { states, keyPrefix, alarmed, verdicts, classes }: RowFilter): boolean {
  return (
    (!states || states.includes(row.state)) &&
    (!classes || classes.includes(row.class)) &&
    (!keyPrefix || row.rowKey.startsWith(keyPrefix)) &&
    (!alarmed || row.alarm !== null) &&
    (!verdicts || verdicts.includes(row.verdict ?? ''))
  );
}

export function rowListsCases(databases: Databases): void {
  suite('lists of rows', databases, (stage) => {
    test('have each row that matches, in the order of the sheet, page by page', async () => {
      const { scene } = stage;
      const batchId = await scene.make(keys);
      for (const key of ['film-3', 'a%b', 'film-700']) await scene.deliver(batchId, key);
      for (const key of ['film-2', 'film-900', 'å']) await scene.order(batchId, key);
      await scene.look(batchId, 'film-2', 'failed');
      await scene.look(batchId, 'å', 'odd');
      const all = await listRows(scene.ledger, batchId, { limit: 2_000 });
      expect(all.map(({ rowKey }) => rowKey)).toEqual(keys);

      const filter: fc.Arbitrary<RowFilter> = fc.record(
        {
          states: fc.subarray([...rowStates]),
          keyPrefix: fc.constantFrom('film-', 'film-1', 'film-90', 'a', 'a_', 'å', 'none', ''),
          alarmed: fc.boolean(),
          verdicts: fc.constant(['as ordered']),
          classes: fc.constant(['new'] as const),
        },
        { requiredKeys: [] },
      );
      await fc.assert(
        fc.asyncProperty(
          filter,
          fc.integer({ min: -1, max: 1_110 }),
          fc.integer({ min: 1, max: 50 }),
          async (of, after, limit) => {
            const expected = all.filter((row) => matches(row, of));
            const page = expected.filter(({ position }) => position > after).slice(0, limit);
            const asked = { ...of, afterPosition: after, limit };
            expect(await listRows(scene.ledger, batchId, asked)).toEqual(page);
            const lines = await listRowLines(scene.ledger, batchId, asked);
            expect(page.map((row, index) => ({ ...row, ...lines[index] }))).toEqual(page);
            expect(lines).toHaveLength(page.length);
          },
        ),
        { numRuns: 40 },
      );
    });

    test('counts of many batches are those of each', async () => {
      const { scene } = stage;
      const batchIds = [await scene.make(['a', 'b']), await scene.make(['c'], { campaign: 'other' })];
      await scene.deliver(batchIds[0] ?? '', 'a');
      const counts = await countsOfMany(scene.ledger.db, [...batchIds, 'spring-99']);
      expect([...counts.keys()].toSorted()).toEqual(batchIds.toSorted());
      for (const batchId of batchIds) expect(counts.get(batchId)).toEqual(await countRows(scene.ledger, batchId));
    });
  });
}
