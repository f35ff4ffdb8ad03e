import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ServedFile {
  bytes: Buffer;
  mimeType?: string;
  /** Strong, of the bytes, by default; null sends none. */
  etag?: string | null;
}

export interface SeenRequest {
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** What to do instead of serving the file; undefined serves it. */
export type Deed = (request: IncomingMessage, response: ServerResponse, receipts: Receipts) => void;

/** What the client says it has: bytes that a reset overtakes on the wire would make a test depend on luck. */
class Receipts {
  #received = 0;
  #waiting: { readonly at: number; readonly tell: () => void }[] = [];

  add(count: number): void {
    this.#received += count;
    const due = this.#waiting.filter(({ at }) => at <= this.#received);
    this.#waiting = this.#waiting.filter(({ at }) => at > this.#received);
    for (const { tell } of due) tell();
  }

  /** Calls back once the client has so many bytes more. */
  after(count: number, tell: () => void): void {
    this.#waiting.push({ at: this.#received + count, tell });
  }
}

export interface FileServer {
  readonly origin: string;
  readonly files: Map<string, ServedFile>;
  readonly requests: SeenRequest[];
  /** Bytes of files that were served whole or to their end. */
  readonly servedBytes: () => number;
  /** To be told of bytes that the client wrote to its disk. */
  readonly received: (count: number) => void;
  close(): Promise<void>;
}

/** A file server with ranges, entity tags and whatever a test makes it do wrong. */
export async function fileServer(
  deedFor: (index: number, url: string) => Deed | undefined = () => undefined,
): Promise<FileServer> {
  const files = new Map<string, ServedFile>();
  const requests: SeenRequest[] = [];
  const receipts = new Receipts();
  let servedBytes = 0;
  const server = createServer((request, response) => {
    const url = request.url ?? '';
    const deed = deedFor(requests.length, url);
    requests.push({ url, headers: request.headers });
    if (deed) return deed(request, response, receipts);
    const file = files.get(url.split('?', 1)[0] ?? '');
    if (!file) return response.writeHead(404).end();
    const { status, headers, body } = answerFor(file, request.headers);
    servedBytes += body.length;
    response.writeHead(status, headers).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server has no other kind of address
  return {
    origin: `http://127.0.0.1:${port}`,
    files,
    requests,
    servedBytes: () => servedBytes,
    received: (count) => receipts.add(count),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function etagOf({ bytes, etag }: ServedFile): string | null {
  return etag === undefined ? `"${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}"` : etag;
}

function answerFor(file: ServedFile, asked: IncomingHttpHeaders) {
  const etag = etagOf(file);
  const common = { 'content-type': file.mimeType ?? 'application/octet-stream', ...(etag === null ? {} : { etag }) };
  const start = Number(/^bytes=(\d+)-$/.exec(asked.range ?? '')?.[1] ?? Number.NaN);
  if (Number.isNaN(start) || (asked['if-range'] ?? etag) !== etag) {
    return { status: 200, headers: { ...common, 'content-length': file.bytes.length }, body: file.bytes };
  }
  if (start >= file.bytes.length) {
    return { status: 416, headers: { 'content-range': `bytes */${file.bytes.length}` }, body: Buffer.alloc(0) };
  }
  const body = file.bytes.subarray(start);
  const range = `bytes ${start}-${file.bytes.length - 1}/${file.bytes.length}`;
  return { status: 206, headers: { ...common, 'content-range': range, 'content-length': body.length }, body };
}

/** Promises the whole file, or the rest of it, and resets the connection once the client has so many bytes. */
export function cutAfter(file: ServedFile, count: number): Deed {
  return (request, response, receipts) => {
    const { status, headers, body } = answerFor(file, request.headers);
    receipts.after(count, () => response.destroy());
    response.writeHead(status, headers).write(body.subarray(0, count));
  };
}

/** Sends so many bytes of what it promised and then nothing more. */
export function stallAfter(file: ServedFile, count: number): Deed {
  return (request, response) => {
    const { status, headers, body } = answerFor(file, request.headers);
    response.writeHead(status, headers).write(body.subarray(0, count));
  };
}

export function says(status: number, headers: Record<string, string> = {}, body = ''): Deed {
  return (_, response) => void response.writeHead(status, headers).end(body);
}
