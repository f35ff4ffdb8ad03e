import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What happens to one request on its way. Bytes are those of the answer, its headers included. */
export type Toxic =
  | { readonly kind: 'pass' }
  /** The connection is reset when the request arrives; the service sees none of it. */
  | { readonly kind: 'reset_before' }
  /** The service does its work; its answer is thrown away and the connection reset. */
  | { readonly kind: 'reset_after' }
  /** So many bytes of the request reach the service, then both connections are reset. */
  | { readonly kind: 'cut_request'; readonly requestBytes: number }
  /** The service does its work; in place of its answer comes what is no HTTP, or what it says here. */
  | { readonly kind: 'garbage'; readonly text?: string }
  /** The service gets the request; the client is told that nothing will come, in good order. */
  | { readonly kind: 'half_close' }
  /** So many bytes of the answer pass, then the connection is reset. */
  | { readonly kind: 'cut'; readonly afterBytes: number }
  /** So many bytes of the answer pass, then the connection ends in good order. */
  | { readonly kind: 'end'; readonly afterBytes: number }
  /** So many bytes of the answer pass, then nothing more comes, and the connection stays open. */
  | { readonly kind: 'stall'; readonly afterBytes: number }
  /** Each piece of the answer comes so much later. */
  | { readonly kind: 'latency'; readonly delayMs: number };

export interface WireRequest {
  /** As "POST /v1/movies HTTP/1.1". */
  readonly line: string;
  /** Counts all requests through this proxy, from 0. */
  readonly index: number;
  /** Counts the requests on its connection, from 0: above 0, the connection was a kept one. */
  readonly onConnection: number;
}

export interface WireProxy {
  readonly port: number;
  /** Every request that reached the proxy, in order: a hidden repeat shows here. */
  readonly requests: readonly WireRequest[];
  /** Resets every open connection. */
  resetAll(): void;
  close(): Promise<void>;
}

/**
 * A TCP proxy on loopback between a client and a service, which breaks what `toxic` says. It reads no HTTP beyond the
 * request line: bytes from the client that follow bytes from the service begin a new request (nobody pipelines here).
 */
export async function createProxy(targetPort: number, toxic: (request: WireRequest) => Toxic): Promise<WireProxy> {
  const requests: WireRequest[] = [];
  const open = new Set<Socket>();
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port: targetPort, host: '127.0.0.1', noDelay: true });
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', () => {}).on('close', () => open.delete(socket));
    }
    pass(client, upstream, (line, onConnection) => {
      const request = { line, index: requests.length, onConnection };
      requests.push(request);
      return toxic(request);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const resetAll = () => {
    for (const socket of open) socket.resetAndDestroy();
  };
  return {
    port: (server.address() as AddressInfo).port, // a TCP server has no other kind of address
    requests,
    resetAll,
    close: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      resetAll();
      await closed;
    },
  };
}

function pass(client: Socket, upstream: Socket, begin: (line: string, onConnection: number) => Toxic): void {
  let count = 0;
  let current: Toxic = { kind: 'pass' };
  let answeredBytes = -1;
  let askedBytes = 0;
  const reset = () => {
    client.resetAndDestroy();
    upstream.destroy();
  };

  client.on('data', (chunk) => {
    if (answeredBytes !== 0) {
      current = begin(chunk.toString('latin1').split('\r\n', 1)[0] ?? '', count++);
      answeredBytes = 0;
      askedBytes = 0;
      if (current.kind === 'half_close') client.end();
    }
    askedBytes += chunk.length;
    if (current.kind === 'reset_before') reset();
    else if (current.kind === 'cut_request' && askedBytes >= current.requestBytes) {
      const kept = chunk.subarray(0, chunk.length - (askedBytes - current.requestBytes));
      upstream.write(kept, () => setImmediate(reset));
      client.pause();
    } else if (!upstream.write(chunk)) {
      client.pause();
      upstream.once('drain', () => client.resume());
    }
  });
  upstream.on('data', (chunk) => {
    const before = answeredBytes;
    answeredBytes += chunk.length;
    if (current.kind === 'reset_after') reset();
    else if (current.kind === 'half_close') client.destroySoon();
    else if (current.kind === 'garbage') client.end(current.text ?? '\x16\x03\x01 this is no HTTP\r\n\r\n');
    else if (current.kind === 'latency') setTimeout(() => client.write(chunk), current.delayMs);
    else if (!('afterBytes' in current)) client.write(chunk);
    else {
      const room = current.afterBytes - before;
      if (room > 0) client.write(chunk.subarray(0, room));
      if (answeredBytes >= current.afterBytes) breakOff(current.kind);
    }
  });
  const breakOff = (kind: 'cut' | 'end' | 'stall') => {
    // A reset throws away what the other side has not read yet: the bytes promised must be out before.
    if (kind === 'cut') client.write('', () => setImmediate(reset));
    else if (kind === 'end') client.end(() => upstream.destroy());
    else upstream.pause();
  };
  client.on('end', () => upstream.end());
  upstream.on('end', () => {
    if (current.kind !== 'stall' && current.kind !== 'latency') client.end();
  });
  client.on('close', () => upstream.destroy());
  upstream.on('close', () => {
    if (current.kind !== 'stall' && current.kind !== 'latency') client.destroySoon();
  });
}
