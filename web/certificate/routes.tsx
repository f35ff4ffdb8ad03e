import { Hono } from 'hono';
import { readCertificate } from '../../operations/batch/certificate.js';
import { resultsCsv } from '../../operations/batch/results.js';
import type { DeskDeps } from '../desk-deps.js';
import { actorOf, type DeskContext, type DeskEnv } from '../desk-env.js';
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
    const name = look.batchId.replaceAll(/[^\w.-]/g, '_');
    return c.body(ReadableStream.from(bytesOf(lines)) as unknown as ReadableStream, 200, {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}.csv"`,
    });
  });
  return routes;
}

function lookOf(c: DeskContext) {
  return { batchId: c.req.param('batch') ?? '', actor: actorOf(c) };
}

async function* bytesOf(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const line of lines) yield Buffer.from(line);
}
