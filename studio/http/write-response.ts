import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Sends the answer. A body that breaks off breaks the connection, after what came of it; so does a reader who takes
 * nothing of a file for `readerTimeoutMs`.
 */
export async function writeResponse(
  response: Response,
  outgoing: ServerResponse,
  readerTimeoutMs: number,
): Promise<void> {
  const headers = Object.fromEntries(response.headers);
  const { body } = response;
  if (body === null || outgoing.req.method === 'HEAD') {
    await body?.cancel();
    outgoing.writeHead(response.status, headers).end();
  } else if ('content-length' in headers) {
    outgoing.setTimeout(readerTimeoutMs, () => outgoing.destroy());
    outgoing.writeHead(response.status, headers);
    await pipeline(Readable.fromWeb(body), outgoing).catch(() => outgoing.destroy());
  } else {
    // Made in memory, hence small: one write.
    const bytes = new Uint8Array(await response.arrayBuffer());
    outgoing.writeHead(response.status, { ...headers, 'content-length': bytes.length }).end(bytes);
  }
}
