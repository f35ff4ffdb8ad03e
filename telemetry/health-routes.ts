import { Hono } from 'hono';
import type { Metrics } from './metrics.js';

export interface HealthDeps {
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>;
  /** What keeps this process from working, one line each; empty while it works. */
  readonly lacking: () => Promise<readonly string[]> | readonly string[];
}

/**
 * Serves the endpoints for a fleet's tools: `/livez` (it runs), `/readyz` (it works), `/metrics`. They show counts,
 * money of budgets and names of campaigns, but no briefs; anybody who can reach the address can read them.
 */
export function healthRoutes({ metrics, lacking }: HealthDeps): Hono {
  const routes = new Hono();
  routes.get('/livez', (c) => c.text('ok\n'));
  routes.get('/readyz', async (c) => {
    const lines = await lacking();
    return lines.length === 0 ? c.text('ok\n') : c.text(`${lines.join('\n')}\n`, 503);
  });
  routes.get('/metrics', async (c) => {
    const text = await metrics.text({ ledger: c.req.query('ledger') !== 'off' });
    return c.body(text, 200, { 'content-type': metrics.contentType });
  });
  return routes;
}
