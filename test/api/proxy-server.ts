import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { onTestFinished } from 'vitest';

/** A proxy that makes every tunnel to one port of this machine, whatever host was asked for. */
export interface TestProxy {
  readonly url: string;
  /** What was asked for, as `movies.example.test:80`. */
  readonly asked: readonly string[];
}

export async function serveProxy(port: number): Promise<TestProxy> {
  const asked: string[] = [];
  const server = createServer((_, response) => response.writeHead(501).end());
  server.on('connect', ({ url }, socket) => {
    asked.push(url ?? '');
    const upstream = connect({ port, host: '127.0.0.1' }, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    for (const one of [socket, upstream]) one.on('error', () => [socket, upstream].map((each) => each.destroy()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}
