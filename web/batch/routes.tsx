import { Hono } from 'hono';
import { listRows, readBatch } from '../../operations/batches.js';
import { billingAssumed } from '../../operations/stored-plan.js';
import { whyWaiting } from '../../operations/why-waiting.js';
import type { DeskDeps } from '../desk-deps.js';
import { actorOf, type DeskEnv } from '../desk-env.js';
import { frameOf } from '../parts/frame.js';
import { BatchPage } from './batch-page.js';
import { readRowsFilter, statesOf } from './rows-filter.js';

const pageSize = 100;

export function batchRoutes(deps: DeskDeps): Hono<DeskEnv> {
  return new Hono<DeskEnv>().get('/batches/:batch', async (c) => {
    const look = { batchId: c.req.param('batch'), actor: actorOf(c) };
    const status = await readBatch(deps, look);
    const filter = readRowsFilter(c.req.query());
    const states = statesOf(filter.tab);
    const found = await listRows(deps, {
      ...{ ...look, limit: pageSize + 1 },
      ...(states && { states }),
      ...(filter.id !== '' && { keyPrefix: filter.id }),
      ...(filter.after !== null && { afterPosition: filter.after }),
    });
    const rows = { rows: found.slice(0, pageSize), hasMore: found.length > pageSize, filter };
    const reasons = await whyWaiting(deps, status, look.actor);
    const billing = await billingAssumed(deps);
    const isNotified = c.req.query('notified') !== 'no';
    const props = { status, reasons, billing, rows, isNotified };
    return c.html(<BatchPage frame={frameOf(c)} {...props} />);
  });
}
