import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { problemAnswer } from './app.js';
import { Problem } from './problem.js';

/** Answers what never becomes a request (malformed, or its head too large or too slow) in the interface's shape. */
export function answerParserErrors(server: Server): void {
  const underWay = new WeakMap<object, { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse }>();
  server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    underWay.set(incoming.socket, { incoming, outgoing });
    outgoing.once('close', () => underWay.delete(incoming.socket));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const exchange = underWay.get(socket);
    // An answer that has begun, or that a complete request still waits for, must not be taken for this one.
    const taken = exchange !== undefined && (exchange.outgoing.headersSent || exchange.incoming.complete);
    if (taken || !socket.writable || error.code === 'ECONNRESET') socket.destroy();
    else void writeTo(socket, problemOf(error));
  });
  server.on('checkExpectation', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const message = `Cannot read request: Expect: ${incoming.headers.expect} cannot be met, only 100-continue can`;
    void writeTo(incoming.socket, new Problem('expectation_failed', message)).finally(() => outgoing.destroy());
  });
}

function problemOf({ code = '', message }: NodeJS.ErrnoException): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new Problem('headers_too_large', 'Cannot read request: its head is larger than 16 KiB');
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new Problem('request_timeout', 'Cannot read request: its head did not arrive in time');
  }
  return new Problem('invalid_request', `Cannot read request: it is not HTTP/1.1 (${message})`);
}

/** Closes the connection too: nobody knows where on it the next request would begin. */
async function writeTo(socket: Socket, problem: Problem): Promise<void> {
  const answer = problemAnswer(problem);
  const body = Buffer.from(await answer.text());
  const headers = [...answer.headers, ['Content-Length', body.length], ['Connection', 'close']];
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  socket.write(`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\n${lines.join('\r\n')}\r\n\r\n`);
  socket.end(body);
}
