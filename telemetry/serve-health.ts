import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { type HealthDeps, healthRoutes } from './health-routes.js';

export interface HealthServer {
  close(): Promise<void>;
}

/** @throws the system's error when it cannot listen there. */
export async function serveHealth(
  at: { readonly host: string; readonly port: number },
  deps: HealthDeps,
): Promise<HealthServer> {
  const answer = getRequestListener(healthRoutes(deps).fetch, { overrideGlobalObjects: false });
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  server.requestTimeout = 10_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(at, resolve);
  });
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
