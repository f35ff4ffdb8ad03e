import { Hono } from 'hono';
import { deskHealth, type PartFinding } from '../../operations/health/desk-health.js';
import type { DeskDeps } from '../desk-deps.js';
import { actorOf, type DeskEnv } from '../desk-env.js';
import { frameOf } from '../parts/frame.js';
import { HealthPage } from './health-page.js';

/** Whoever loads the page again and again asks the parts, the movie service among them, no more often. */
const goodForMs = 15_000;

/** Whether movies are being made, and what keeps them. */
export function healthRoutes(deps: DeskDeps): Hono<DeskEnv> {
  let last: { readonly atMs: number; readonly found: Promise<readonly PartFinding[]> } | null = null;
  const diagnose = () => {
    const nowMs = deps.clock();
    if (last === null || nowMs - last.atMs > goodForMs) last = { atMs: nowMs, found: deps.diagnose() };
    return last.found;
  };
  return new Hono<DeskEnv>().get('/health', async (c) => {
    const health = await deskHealth({ ...deps, diagnose }, { actor: actorOf(c) });
    return c.html(<HealthPage frame={frameOf(c)} health={health} />);
  });
}
