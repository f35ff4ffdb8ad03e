import { Hono } from 'hono';
import { readCertificate } from '../../operations/batch/certificate.js';
import { resultsCsv } from '../../operations/batch/results.js';
import type { DeskDeps } from '../desk-deps.js';
import { actorOf, type DeskContext, type DeskEnv } from '../desk-env.js';
import { streamedCsv } from '../parts/csv.js';
import { frameOf } from '../parts/frame.js';
import { CertificatePage } from './certificate-page.js';
import { printStyle } from './print-style.js';

/** The closing account of a batch: to read, to print, and its sheet with the results. */
export function certificateRoutes(deps: DeskDeps): Hono<DeskEnv> {
  const routes = new Hono<DeskEnv>();
  routes.get('/batches/:batch/certificate', async (c) => {
    return c.html(<CertificatePage frame={frameOf(c)} certified={await readCertificate(deps, lookOf(c))} />);
  });
  routes.get('/batches/:batch/certificate.css', async (c) => {
    const { batch, facts } = await readCertificate(deps, lookOf(c));
    const { length, head } = facts.audit;
    const words = [
      batch.batchId,
      `plan ${(facts.planDigest ?? 'none').slice(0, 12)}`,
      `audit ${length} head ${head.slice(0, 8)}`,
      `printed by ${actorOf(c).name}, ${new Date(deps.clock()).toISOString().slice(0, 16)} UTC`,
    ];
    return c.body(printStyle(words.join(' · ')), 200, { 'Content-Type': 'text/css; charset=utf-8' });
  });
  routes.get('/batches/:batch/results.csv', async (c) => {
    const look = lookOf(c);
    const lines = await resultsCsv(deps, look);
    return streamedCsv(c, look.batchId, lines);
  });
  return routes;
}

function lookOf(c: DeskContext) {
  return { batchId: c.req.param('batch') ?? '', actor: actorOf(c) };
}
