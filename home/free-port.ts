import { randomInt } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';

/**
 * Below the ports that systems give to outgoing connections (from 32,768 on Linux, 49,152 elsewhere), and above those of
 * known services: the port of a part that died is still free when it starts again.
 */
const lasting = { from: 20_000, to: 32_767 };
const tries = 20;

/** Returns a free loopback port, `preferred` if it is free, so that clients of a restarted part find it again. */
export async function freePort(preferred?: number): Promise<number> {
  const port = preferred === undefined ? null : await tryListen(preferred);
  if (port !== null) return port;
  for (let tried = 0; tried < tries; tried += 1) {
    const found = await tryListen(randomInt(lasting.from, lasting.to + 1));
    if (found !== null) return found;
  }
  const any = await tryListen(0);
  if (any === null) throw new Error('Cannot start: no free port on 127.0.0.1');
  return any;
}

/**
 * Waits for nobody: returns the port if it is free.
 *
 * @throws Error where it is not.
 */
export async function samePort(port: number): Promise<number> {
  const free = await tryListen(port);
  if (free === null) throw new Error(`Cannot start: port ${port} of 127.0.0.1 is in use`);
  return free;
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
