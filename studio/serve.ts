import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { problemAnswer } from './app.js';
import { ConnectionLost } from './faults/effects.js';
import { writeResponse } from './http/write-response.js';
import { answerParserErrors } from './parser-errors.js';
import { Problem } from './problem.js';
import { createStudio, type Studio, type StudioOptions } from './studio.js';

export interface ServeOptions extends StudioOptions {
  /** 0: any free one. */
  readonly port: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Time for a connection to send its request's head. Default 10 s. */
  readonly headersTimeoutMs?: number;
  /** Time for a connection to take the next bytes of its answer. Default 60 s. */
  readonly readerTimeoutMs?: number;
}

export interface ServedStudio {
  /** Ends in `/v1`. */
  readonly url: string;
  readonly port: number;
  readonly studio: Studio;
  close(): Promise<void>;
}

/** The studio behind a port. Connections made while it opens its data wait for it. */
export async function serveStudio(options: ServeOptions): Promise<ServedStudio> {
  const { host = '127.0.0.1', headersTimeoutMs = 10_000, readerTimeoutMs = 60_000 } = options;
  let opened: (studio: Studio) => void = () => undefined;
  const opening = new Promise<Studio>((resolve) => {
    opened = resolve;
  });
  const listener = getRequestListener(
    async (request, { outgoing }) =>
      answer(await opening, request, { outgoing: outgoing as ServerResponse, readerTimeoutMs }),
    { overrideGlobalObjects: false, errorHandler: unreadable },
  );
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      requestTimeout: 0,
      connectionsCheckingInterval: Math.min(headersTimeoutMs, 5_000),
      requireHostHeader: false, // refused below, with a message
    },
    (incoming: IncomingMessage, outgoing: ServerResponse) => {
      outgoing.once('finish', () => hangUpOnRest(incoming));
      void listener(incoming, outgoing);
    },
  );
  answerParserErrors(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}/v1`;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  try {
    // A server on every address of the machine learns only from the request which one was used.
    const studio = await createStudio({ ...(isWildcard(host) ? {} : { publicUrl: url }), ...options });
    opened(studio);
    return {
      url,
      port,
      studio,
      async close() {
        await stop();
        await studio.close();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

async function answer(
  studio: Studio,
  request: Request,
  { outgoing, readerTimeoutMs }: { readonly outgoing: ServerResponse; readonly readerTimeoutMs: number },
): Promise<Response> {
  try {
    await writeResponse(await studio.fetch(request), outgoing, readerTimeoutMs);
  } catch (error) {
    if (!(error instanceof ConnectionLost)) throw error;
    outgoing.socket?.resetAndDestroy();
  }
  return RESPONSE_ALREADY_SENT;
}

/** Time for a sender that is still sending to read the answer. */
const lingerMs = 500;

/** Nobody reads what is sent after the answer: without an end it would hold its connection forever. */
function hangUpOnRest(incoming: IncomingMessage): void {
  if (incoming.complete) return;
  setTimeout(() => incoming.complete || incoming.socket.destroy(), lingerMs).unref();
}

function unreadable(): Response {
  return problemAnswer(new Problem('invalid_request', 'Cannot serve request: its target or host cannot be read'));
}
