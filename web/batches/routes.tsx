import { Hono } from 'hono';
import { listBatches } from '../../operations/batches.js';
import type { DeskDeps } from '../desk-deps.js';
import { actorOf, type DeskEnv } from '../desk-env.js';
import { frameOf } from '../parts/frame.js';
import { BatchesPage } from './batches-page.js';

const shownBatches = 50;

export function batchesRoutes(deps: DeskDeps): Hono<DeskEnv> {
  return new Hono<DeskEnv>().get('/', async (c) => {
    const lines = await listBatches(deps, { actor: actorOf(c), limit: shownBatches });
    return c.html(<BatchesPage frame={frameOf(c)} lines={lines} />);
  });
}
