import { type AddressInfo, createServer } from 'node:net';

/** Returns a free loopback port, `preferred` if it is free, so that clients of a restarted part find it again. */
export async function freePort(preferred?: number): Promise<number> {
  const port = (preferred === undefined ? null : await tryListen(preferred)) ?? (await tryListen(0));
  if (port === null) throw new Error('Cannot start: no free port on 127.0.0.1');
  return port;
}

function tryListen(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const { port: bound } = server.address() as AddressInfo; // a TCP server's address is always an object
      server.close(() => resolve(bound));
    });
  });
}
