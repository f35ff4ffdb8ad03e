import { Hono } from 'hono';
import { readBatch } from '../../operations/batches.js';
import { shortDigest } from '../../reports/wording/plan-words.js';
import { formatTime } from '../../reports/wording/time-text.js';
import type { DeskDeps } from '../desk-deps.js';
import { actorOf, type DeskEnv } from '../desk-env.js';

/** What stands at the foot of each printed page: which plan, who printed it and when. */
export function printStyleRoutes(deps: DeskDeps): Hono<DeskEnv> {
  return new Hono<DeskEnv>().get('/batches/:batch/print.css', async (c) => {
    const actor = actorOf(c);
    const { batch } = await readBatch(deps, { batchId: c.req.param('batch'), actor });
    const { batchId, planDigest } = batch;
    const plan = planDigest === null ? 'no plan' : `plan ${shortDigest(planDigest)}`;
    const foot = `${batchId}, ${plan}, printed by ${actor.name} at ${formatTime(deps.clock())}`;
    const text = `@page { @bottom-left { content: ${quoted(foot)}; font: 8.5pt Inter, system-ui, sans-serif; color: #555; } }\n`;
    return c.body(text, 200, { 'Content-Type': 'text/css; charset=utf-8' });
  });
}

/** As CSS writes a text: whatever could end it is a code point. */
function quoted(text: string): string {
  return `"${text.replace(/[^\w .,:+-]/g, (char) => `\\${char.codePointAt(0)?.toString(16)} `)}"`;
}
