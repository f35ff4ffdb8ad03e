import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { MemoryAnswer } from '../../../studio/http/memory-answer.js';
import { writeResponse } from '../../../studio/http/write-response.js';

/** A server's side of one request, and the client's. */
async function exchange() {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1'); // a TCP server has no other kind
  onTestFinished(() => void client.destroy());
  client.on('error', () => undefined); // a reset is an end too
  client.write('GET / HTTP/1.1\r\nHost: studio\r\n\r\n');
  const [, outgoing] = (await once(server, 'request')) as [unknown, ServerResponse];
  return { server, client, outgoing };
}

/** A file of this length, and whether somebody let go of it. */
function fileOf(sizeBytes: number) {
  let [leftBytes, released] = [sizeBytes, false];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = new Uint8Array(Math.min(65_536, leftBytes));
      leftBytes -= chunk.length;
      controller.enqueue(chunk);
      if (leftBytes === 0) controller.close();
    },
    cancel() {
      released = true;
    },
  });
  const response = new Response(body, { headers: { 'content-length': String(sizeBytes) } });
  return { response, left: () => leftBytes, released: () => released };
}

const largeBytes = 1024 ** 3; // more than any connection holds by itself

test('a reader who stops is hung up on, and the file is let go of', async () => {
  const { client, outgoing } = await exchange();
  client.pause();
  const file = fileOf(largeBytes);
  await writeResponse(file.response, outgoing, 50);
  expect(outgoing.destroyed).toBe(true);
  expect(file.released()).toBe(true);
  expect(file.left()).toBeGreaterThan(largeBytes / 2);
});

test('a reader who stops before the end of an answer in memory is hung up on, too', async () => {
  const { client, outgoing } = await exchange();
  client.pause();
  await writeResponse(new MemoryAnswer(new Uint8Array(64 * 1024 ** 2), {}), outgoing, 50);
  await expect.poll(() => outgoing.destroyed).toBe(true);
});

test('an answer in memory comes with its length', async () => {
  const { client, outgoing } = await exchange();
  let said = '';
  client.on('data', (chunk) => {
    said += chunk;
  });
  await writeResponse(new MemoryAnswer('grün', { status: 201, headers: { 'X-Request-Id': 'req_1' } }), outgoing, 5_000);
  await expect.poll(() => said).toContain('grün');
  expect(said).toMatch(/^HTTP\/1\.1 201 Created\r\n/);
  expect(said.toLowerCase()).toContain('content-length: 5\r\n');
  expect(said).toContain('req_1');
});

test('a reader who goes on gets everything, and the connection stays his', async () => {
  const { server, client, outgoing } = await exchange();
  let readBytes = 0;
  client.on('data', (chunk) => {
    readBytes += chunk.length;
  });
  await writeResponse(fileOf(4_000_000).response, outgoing, 5_000);
  await expect.poll(() => readBytes).toBeGreaterThan(4_000_000);
  client.write('GET /next HTTP/1.1\r\nHost: studio\r\n\r\n');
  const [next] = (await once(server, 'request')) as [IncomingMessage];
  expect(next.url).toBe('/next');
  expect(next.socket.timeout).not.toBe(5_000);
});
