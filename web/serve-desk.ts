import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { removeStaleUploads } from '../operations/upload/stale-uploads.js';
import { createDesk } from './create-desk.js';
import type { DeskDeps } from './desk-deps.js';
import { siteAt } from './site.js';

export interface DeskServerOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** As browsers see it; null: the address that is listened at. */
  readonly publicUrl: string | null;
}

export interface DeskServer {
  readonly port: number;
  readonly publicUrl: string;
  /** Takes no new requests, lets those under way finish for a moment, and ends the rest. */
  close(): Promise<void>;
}

const requestTimeoutMs = 60_000;
const headersTimeoutMs = 10_000;
const graceMs = 2_000;
const maxConnections = 1_000;

/**
 * Serves the desk, and first removes what browsers brought long ago.
 *
 * @throws Error of the system where it may not listen there, and where the address is none for browsers.
 */
export async function serveDesk(
  { host, port, publicUrl }: DeskServerOptions,
  deps: Omit<DeskDeps, 'site'>,
): Promise<DeskServer> {
  let answer: ReturnType<typeof getRequestListener> | null = null;
  const server = createServer(
    { requestTimeout: requestTimeoutMs, headersTimeout: headersTimeoutMs },
    (incoming, outgoing) => void answer?.(incoming, outgoing),
  );
  server.maxConnections = maxConnections;
  if (publicUrl !== null) siteAt(publicUrl); // refused before anything listens
  // What cannot be removed keeps nobody from the desk.
  await removeStaleUploads(deps, Date.now()).catch((error: unknown) => deps.onFault(error, 'start'));
  await listen(server, { host, port });
  const { port: found } = server.address() as AddressInfo; // a TCP server's address is always an object
  try {
    const site = siteAt(publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${found}`);
    answer = getRequestListener(createDesk({ ...deps, site }).fetch, {
      overrideGlobalObjects: false,
      errorHandler: () => new Response(null, { status: 400 }), // a target or host that cannot be read
    });
    return { port: found, publicUrl: site.publicUrl, close: () => close(server) };
  } catch (error) {
    await close(server);
    throw error;
  }
}

function listen(server: Server, at: { readonly host: string; readonly port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(at, resolve);
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}
