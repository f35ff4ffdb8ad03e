import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A way to a server that can be cut, as by a restart: connections end, and none can be made. */
export interface Way {
  readonly port: number;
  /** Until `open`. */
  cut(): Promise<void>;
  open(): Promise<void>;
  /** The connections that there are lose every packet from now on, and stay open; new ones work. */
  silence(): void;
  /** What the server says by the connections that there are arrives once a later connection was made and has ended. */
  delayAnswers(): void;
}

export async function wayTo(target: { readonly host: string; readonly port: number }): Promise<Way> {
  const sockets = new Set<Socket>();
  let late: (() => void)[] = [];
  /** By the connection of the server, that of the client. */
  const ways = new Map<Socket, Socket>();
  let server: Server | null = null;
  let port = 0;
  const listen = async () => {
    server = createServer((socket) => {
      const upstream = connect(target);
      ways.set(upstream, socket);
      upstream.on('close', () => ways.delete(upstream));
      const overdue = late;
      late = [];
      socket.on('close', () => {
        for (const arrive of overdue) arrive();
      });
      for (const [one, other] of [
        [socket, upstream],
        [upstream, socket],
      ] as const) {
        sockets.add(one);
        one.on('error', () => undefined);
        one.on('close', () => {
          sockets.delete(one);
          other.destroy();
        });
        one.pipe(other);
      }
    }).listen(port, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo); // a TCP server's address is always an object
  };
  await listen();
  return {
    get port() {
      return port;
    },
    async cut() {
      const closing = server;
      server = null;
      if (!closing) return;
      const closed = once(closing.close(), 'close');
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    open: listen,
    silence() {
      for (const socket of sockets) socket.unpipe().pause();
    },
    delayAnswers() {
      for (const [upstream, socket] of ways) {
        upstream.unpipe().pause();
        late.push(() => upstream.pipe(socket));
      }
    },
  };
}
