import { expect, test } from 'vitest';
import { setPolicy } from '../../../ledger/access/policies.js';
import * as access from '../../../ledger/database/migrations/0003-access.js';
import * as planFigures from '../../../ledger/database/migrations/0094-plan-figures.js';
import { checkPlan } from '../../../ledger/plan/approval-checks.js';
import { approveBatch } from '../../../ledger/plan/decisions.js';
import { dearestOfPlan, planSums } from '../../../ledger/plan/sealed-figures.js';
import type { Databases } from '../databases.js';
import { ada, fay } from '../scene.js';
import { suite } from '../suite.js';

export function migrationsCases(databases: Databases): void {
  suite('a ledger of an older version', databases, (stage) => {
    test('learns who changed the rules from its audit', async () => {
      const { ledger, nowMs } = stage.scene;
      for (const [days, name] of [
        [3, 'ada'],
        [5, 'ben'],
        [7, 'ada'],
      ] as const) {
        await setPolicy(ledger, { change: { approvalDays: days }, actor: { ...ada, name }, nowMs: nowMs + days });
      }
      const changes = () => ledger.db.selectFrom('policy_changes').selectAll().orderBy('version').execute();
      const recorded = (await changes()).map(({ before, after, ...rest }) => ({
        ...rest,
        ...{ before: JSON.parse(before) as unknown, after: JSON.parse(after) as unknown },
      }));
      expect(recorded.map(({ version, by_name }) => [version, by_name])).toEqual([
        [2, 'ada'],
        [3, 'ben'],
        [4, 'ada'],
      ]);
      await ledger.db.schema.dropTable('policy_changes').execute();
      await ledger.db.schema.dropTable('refused_tokens').execute();
      await ledger.db.schema.dropIndex('rows_content').ifExists().execute();
      await ledger.db.schema.alterTable('people').dropColumn('token_expires_ms').execute();
      await access.up(ledger.db);
      const read = (await changes()).map(({ before, after, ...rest }) => ({
        ...rest,
        ...{ before: JSON.parse(before) as unknown, after: JSON.parse(after) as unknown },
      }));
      expect(read).toEqual(recorded);
    });

    test('shows a plan that it has sealed as before, compares it with the books, and keeps the figures of the next', async () => {
      const { scene } = stage;
      const { db } = scene.ledger;
      const batchId = await scene.seal(['a', 'b', 'c'], { settings: { allowDuplicates: true } });
      const kept = () => db.selectFrom('plan_figures').select('batch_id').execute();
      const shown = async (id: string) => [await planSums(db, id), await dearestOfPlan(db, id)];
      const before = await shown(batchId);
      await db.schema.dropTable('plan_figures').execute();
      for (const name of ['rows_of_plan', 'rows_estimated', 'rows_classed']) await db.schema.dropIndex(name).execute();
      await planFigures.up(db);
      expect(await kept()).toEqual([]);
      expect(await shown(batchId)).toEqual(before);
      const other = await scene.seal(['b', 'd'], { campaign: 'winter', settings: { allowDuplicates: true } });
      expect(await kept()).toEqual([{ batch_id: other }]);
      await approveBatch(scene.ledger, { batchId: other, actor: fay, nowMs: scene.nowMs });
      const checks = await checkPlan(scene.ledger, { batchId, actor: fay });
      expect(checks).toMatchObject({ classes: 'b was new, is duplicate', estimates: null });
    });
  });
}
