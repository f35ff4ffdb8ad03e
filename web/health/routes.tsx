import { Hono } from 'hono';
import { deskHealth, type HealthDeps } from '../../operations/health/desk-health.js';
import type { DeskDeps } from '../desk-deps.js';
import { actorOf, type DeskEnv } from '../desk-env.js';
import { frameOf } from '../parts/frame.js';
import { HealthPage } from './health-page.js';

/** Whoever loads the page again and again asks the parts, the movie service among them, no more often. */
const goodForMs = 15_000;

interface Found {
  readonly parts: ReturnType<HealthDeps['diagnose']>;
  readonly workers: ReturnType<HealthDeps['listWorkers']>;
}

/** Whether movies are being made, and what keeps them. */
export function healthRoutes(deps: DeskDeps): Hono<DeskEnv> {
  let last: { readonly atMs: number; readonly found: Found } | null = null;
  const look = () => {
    const nowMs = deps.clock();
    if (last === null || nowMs - last.atMs > goodForMs) {
      last = { atMs: nowMs, found: { parts: deps.diagnose(), workers: deps.listWorkers() } };
    }
    return last.found;
  };
  const asked = { ...deps, diagnose: () => look().parts, listWorkers: () => look().workers };
  return new Hono<DeskEnv>().get('/health', async (c) => {
    const health = await deskHealth(asked, { actor: actorOf(c) });
    return c.html(<HealthPage frame={frameOf(c)} health={health} />);
  });
}
