import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { MemoryAnswer } from './memory-answer.js';

/**
 * Sends the answer. A body that breaks off breaks the connection, after the bytes that came; so does a reader that
 * takes nothing for `readerTimeoutMs`.
 */
export async function writeResponse(
  response: Response,
  outgoing: ServerResponse,
  readerTimeoutMs: number,
): Promise<void> {
  outgoing.setTimeout(readerTimeoutMs, () => outgoing.destroy());
  const headers = Object.fromEntries(response.headers);
  if (response instanceof MemoryAnswer) {
    const { content } = response;
    outgoing.writeHead(response.status, { ...headers, 'content-length': content.length }).end(content);
    return;
  }
  const { body } = response;
  if (body === null) {
    outgoing.writeHead(response.status, headers).end();
    return;
  }
  outgoing.writeHead(response.status, headers);
  await pipeline(Readable.fromWeb(body), outgoing).catch(() => outgoing.destroy());
}
