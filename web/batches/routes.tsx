import { Hono } from 'hono';
import { needsOf } from '../../operations/batch/needs.js';
import { countBatches, listBatches } from '../../operations/batches.js';
import { seenOnce } from '../../operations/waiting/seen-once.js';
import { whyWaiting } from '../../operations/why-waiting.js';
import type { DeskDeps } from '../desk-deps.js';
import { actorOf, type DeskEnv } from '../desk-env.js';
import { frameOf } from '../parts/frame.js';
import type { BatchLine } from './batch-table.js';
import { BatchesPage } from './batches-page.js';
import { batchesTabs, readFilter } from './filters.js';

const pageSize = 50;

export function batchesRoutes(deps: DeskDeps): Hono<DeskEnv> {
  return new Hono<DeskEnv>().get('/', async (c) => {
    const actor = actorOf(c);
    const filter = readFilter(c.req.query());
    const { states } = batchesTabs[filter.tab];
    const found = await listBatches(deps, {
      ...{ actor, limit: pageSize + 1, stopped: filter.tab === 'stopped' },
      ...(states && { states }),
      ...(filter.id !== '' && { idPrefix: filter.id }),
      ...(filter.before && { before: filter.before }),
    });
    const lines: BatchLine[] = [];
    const once = { ...deps, seeWorkers: seenOnce(deps) };
    for (const status of found.slice(0, pageSize)) {
      lines.push({ ...status, reasons: await whyWaiting(once, status, actor) });
    }
    const props = {
      ...{ lines, filter, hasMore: found.length > pageSize },
      counts: await countBatches(deps, { actor }),
      needs: await needsOf(deps, actor),
    };
    return c.html(<BatchesPage frame={frameOf(c)} {...props} />);
  });
}
