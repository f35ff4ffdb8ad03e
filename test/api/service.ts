import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A movie service that does as the test says: real HTTP on loopback, no behaviour of its own. */
export interface ScriptedService {
  readonly port: number;
  readonly baseUrl: string;
  close(): Promise<void>;
}

export type Script = (request: IncomingMessage, response: ServerResponse) => unknown;

export async function scriptedService(script: Script): Promise<ScriptedService> {
  // A script that fails while it reads has lost its client: the next assertion says more than its error would.
  const server = createServer((request, response) => {
    Promise.resolve(script(request, response)).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server has no other kind of address
  return {
    port,
    baseUrl: `http://127.0.0.1:${port}/v1`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export const movie = {
  id: 'movie_1',
  status: 'queued',
  prompt: 'A lighthouse at dusk, one gull',
  duration_seconds: 10,
  aspect_ratio: '16:9',
  progress: null,
  error: null,
  created_at: '2026-11-03T10:00:00Z',
  updated_at: '2026-11-03T10:00:00Z',
};
