import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it passes; `POST /movies/b/r/final.mp4?uploads`. */
export interface Passing {
  readonly line: string;
  /** Has the server act, and cuts the connection in place of its answer. */
  loseAnswer(): void;
  /** Nothing of it reaches the server. */
  cut(): void;
}

export interface S3Gate {
  readonly url: string;
  /** Every request so far. */
  readonly lines: string[];
  /** Told of each request before it is passed on. */
  onRequest: (passing: Passing) => void | Promise<void>;
  /** Told of each answer, as of its request, when the server has given it. */
  onAnswer: (line: string) => void;
  close(): Promise<void>;
}

/** Stands before a server of S3, and passes on what comes as it is: signatures hold. */
export async function s3Gate(target: string): Promise<S3Gate> {
  const lines: string[] = [];
  const { hostname, port } = new URL(target);
  const server = createServer((incoming, response) => {
    const line = `${incoming.method} ${incoming.url}`;
    lines.push(line);
    let fate: 'pass' | 'lose' | 'cut' = 'pass';
    const passing: Passing = {
      line,
      loseAnswer() {
        fate = 'lose';
      },
      cut() {
        fate = 'cut';
      },
    };
    void Promise.resolve(gate.onRequest(passing)).then(() => {
      if (fate === 'cut') return incoming.socket.destroy();
      const { method, url: path, headers } = incoming;
      const onward = request({ hostname, port, method, path, headers }, (answer: IncomingMessage) => {
        gate.onAnswer(line);
        if (fate === 'lose') return answer.resume().once('end', () => incoming.socket.destroy());
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        return answer.pipe(response);
      });
      onward.on('error', () => incoming.socket.destroy());
      incoming.on('error', () => onward.destroy());
      return incoming.pipe(onward);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const gate: S3Gate = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lines,
    onRequest: () => undefined,
    onAnswer: () => undefined,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return gate;
}
