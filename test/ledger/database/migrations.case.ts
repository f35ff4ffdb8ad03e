import { expect, test } from 'vitest';
import { setPolicy } from '../../../ledger/access/policies.js';
import * as access from '../../../ledger/database/migrations/0003-access.js';
import type { Databases } from '../databases.js';
import { ada } from '../scene.js';
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
  });
}
