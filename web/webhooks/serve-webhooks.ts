import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { createNudges, type NudgeDeps } from '../../operations/nudges.js';
import { createWebhookReceiver } from './webhook-receiver.js';

export interface WebhookServerOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Beginning with a slash. */
  readonly path: string;
  /** `whsec_…`; none: events are taken unsigned. */
  readonly secrets: readonly string[];
  /** For a request to arrive as a whole. Default 10 s. */
  readonly requestTimeoutMs?: number;
}

export interface WebhookServer {
  readonly port: number;
  /** Ends connections, and passes on what was received. */
  close(): Promise<void>;
}

/** A service sends one event at a time and movie; what is beyond is no service. */
const maxConnections = 500;

/**
 * Receives the service's events at a port and has the movies that they name looked at.
 *
 * @throws Error of the system where it may not listen there.
 */
export async function serveWebhooks(options: WebhookServerOptions, deps: NudgeDeps): Promise<WebhookServer> {
  const { host, port, path, secrets, requestTimeoutMs = 10_000 } = options;
  const nudges = createNudges(deps);
  const receiver = createWebhookReceiver({ path, secrets, tell: nudges.tell });
  const listener = getRequestListener(receiver.fetch, {
    overrideGlobalObjects: false,
    errorHandler: () => new Response(null, { status: 400 }), // a target or host that cannot be read
  });
  const server = createServer(
    {
      requestTimeout: requestTimeoutMs,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(requestTimeoutMs, 1_000),
    },
    (incoming, outgoing) => void listener(incoming, outgoing),
  );
  server.maxConnections = maxConnections;
  await listen(server, { host, port });
  return {
    port: (server.address() as AddressInfo).port, // a TCP server's address is always an object
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      await nudges.close();
    },
  };
}

function listen(server: Server, at: { readonly host: string; readonly port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(at, resolve);
  });
}
