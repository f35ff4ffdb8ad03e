import { expect, test } from 'vitest';
import { marketsOf } from '../../../ledger/movie-reviews/markets.js';
import { countMovies, listMovies } from '../../../ledger/movie-reviews/movies.js';
import { reviewMovie } from '../../../ledger/movie-reviews/reviews.js';
import { retryRows } from '../../../ledger/progress/retries.js';
import type { Databases } from '../databases.js';
import { plansOf } from '../scans.js';
import { oli } from '../scene.js';
import { suite } from '../suite.js';

export function marketsCases(databases: Databases): void {
  suite('movies of a market', databases, (stage) => {
    test('are those of the sheet’s column, with the markets to choose from', async () => {
      const { scene } = stage;
      const { ledger } = scene;
      const odd = `\u0000${'🚀'.repeat(70)}\uD83D`;
      const markets = ['fr', ' de ', 'fr', '', odd, 'de'];
      const batchId = await scene.make(['a', 'b', 'c', 'd', 'e', 'f'], { markets });
      for (const key of ['a', 'b', 'c', 'd', 'e']) await scene.deliver(batchId, key);
      expect(await marketsOf(ledger, batchId, 9)).toEqual(['de', 'fr', '🚀'.repeat(60)]);
      expect(await marketsOf(ledger, batchId, 2)).toEqual(['de', 'fr']);

      const shown = async (market: string | null, more = {}) => {
        const movies = await listMovies(ledger, { batchId, filter: 'all', market, limit: 9, ...more });
        return movies.map(({ rowKey }) => rowKey);
      };
      expect(await shown(null)).toEqual(['a', 'b', 'c', 'd', 'e']);
      expect(await shown('fr')).toEqual(['a', 'c']);
      expect(await shown('fr', { afterPosition: 0 })).toEqual(['c']);
      expect(await shown('de')).toEqual(['b']);
      expect(await shown('it')).toEqual([]);
      const said = { batchId, rowKey: 'c', verdict: 'redo', note: 'shorter', actor: oli, nowMs: scene.nowMs } as const;
      await reviewMovie(ledger, said);
      expect(await shown('fr', { filter: 'redo' })).toEqual(['c']);
      expect(await shown('de', { filter: 'redo' })).toEqual([]);
      expect(await countMovies(ledger, { batchId, market: 'fr' })).toEqual({ all: 2, ok: 0, redo: 1, differs: 0 });
      expect(await countMovies(ledger, { batchId, market: null })).toMatchObject({ all: 5, redo: 1 });
      if (ledger.dialect === 'sqlite') {
        const plans = (await plansOf(ledger, 'ledger/movie-reviews/m')).filter((part) => part.includes(' rows '));
        expect(plans.filter((part) => part.includes('rows_market (batch_id=? AND market=?'))).not.toEqual([]);
        expect(plans.filter((part) => part.includes('SCAN') || part.endsWith('(batch_id=?)'))).toEqual([]);
      }

      const again = await retryRows(ledger, { batchId, rowKeys: 'redo', actor: oli, nowMs: scene.nowMs });
      expect(await marketsOf(ledger, again.batchId, 9)).toEqual(['fr']); // a redo keeps the market of its row
    });

    test('of a sheet without that column there are none', async () => {
      const { scene } = stage;
      expect(await marketsOf(scene.ledger, await scene.make(['a']), 9)).toEqual([]);
    });
  });
}
