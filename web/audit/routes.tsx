import { Hono } from 'hono';
import { auditPage } from '../../operations/access/audit-page.js';
import { auditHasForeignText, eachAudit, verifyBooks } from '../../operations/audit.js';
import { auditCsvHead, auditCsvRow } from '../../reports/audit-csv.js';
import type { DeskDeps } from '../desk-deps.js';
import { actorOf, type DeskEnv } from '../desk-env.js';
import { streamedCsv } from '../parts/csv.js';
import { frameOf } from '../parts/frame.js';
import { AuditPage } from './audit-page.js';
import { filterOf, readAuditQuery } from './filters.js';
import { VerifyPage } from './verify-page.js';

const pageSize = 50;

/** When the books were last verified from this desk, and whether they were sound. */
export interface LastVerified {
  readonly atMs: number;
  readonly isSound: boolean;
  /** Records of the chain at that time. */
  readonly length: number;
}

/** Who did what and when: to read, to take away, and to verify. */
export function auditRoutes(deps: DeskDeps): Hono<DeskEnv> {
  let last: LastVerified | null = null;
  const routes = new Hono<DeskEnv>();
  routes.get('/audit', async (c) => {
    const query = readAuditQuery(c.req.query());
    const { before } = query;
    const look = { actor: actorOf(c), pageSize, ...filterOf(query), ...(before !== null && { before }) };
    return c.html(<AuditPage frame={frameOf(c)} query={query} last={last} {...await auditPage(deps, look)} />);
  });
  routes.get('/audit.csv', async (c) => {
    const records = eachAudit(deps, { actor: actorOf(c), ...filterOf(readAuditQuery(c.req.query())) });
    const first = await records.next(); // before the head: who may not look gets no file
    const head = auditCsvHead({ marked: await auditHasForeignText(deps) });
    return streamedCsv(c, 'audit', lines());

    async function* lines() {
      yield head;
      if (first.done) return;
      yield auditCsvRow(first.value);
      for await (const record of records) yield auditCsvRow(record);
    }
  });
  routes.get('/audit/verify', async (c) => {
    const verdict = await verifyBooks(deps, { actor: actorOf(c), archive: deps.archiveHere });
    const { chain, differences, faults } = verdict;
    const isSound = chain.ok && differences.length === 0 && faults.length === 0;
    last = { atMs: deps.clock(), isSound, length: chain.ok ? chain.length : chain.brokenAt };
    return c.html(<VerifyPage frame={frameOf(c)} verdict={verdict} isSound={isSound} />);
  });
  return routes;
}
