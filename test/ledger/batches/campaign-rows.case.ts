import { expect, test } from 'vitest';
import { campaignRows } from '../../../ledger/batches/campaign-rows.js';
import { settleBatch } from '../../../ledger/progress/settle.js';
import type { Databases } from '../databases.js';
import { brief, studio } from '../scene.js';
import { suite } from '../suite.js';

export function campaignRowsCases(databases: Databases): void {
  suite('a campaign', databases, (stage) => {
    test('is each of its rows once, by the newest batch that has it, with its newest film', async () => {
      const { scene } = stage;
      const first = await scene.make(['a', 'b', 'c']);
      for (const rowKey of ['a', 'b']) await scene.deliver(first, rowKey);
      await scene.order(first, 'c');
      await scene.look(first, 'c', 'failed');
      await settleBatch(scene.ledger, { batchId: first, nowMs: scene.nowMs });
      const changed = brief('b', { prompt: 'Another runner at dawn' });
      const second = await scene.make(['d', changed, 'a'], { settings: { respend: true } });
      await scene.deliver(second, 'd');
      await scene.order(second, 'b');
      await scene.make(['z'], { campaign: 'winter' });
      await scene.seal(['e']); // nobody has approved it
      expect(await campaignRows(scene.ledger, { service: studio, campaign: 'spring' })).toEqual([
        { rowKey: 'a', newest: at(second, 'a'), film: at(first, 'a') },
        { rowKey: 'b', newest: at(second, 'b'), film: at(first, 'b') },
        { rowKey: 'c', newest: at(first, 'c'), film: null },
        { rowKey: 'd', newest: at(second, 'd'), film: at(second, 'd') },
      ]);
      const elsewhere = { name: 'movies.example', baseUrl: 'https://movies.example/v1' };
      expect(await campaignRows(scene.ledger, { service: elsewhere, campaign: 'spring' })).toEqual([]);
    });
  });
}

function at(batchId: string, rowKey: string) {
  return { batchId, rowKey };
}
