import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dueRows, setWakeUp } from '../../../ledger/progress/due-rows.js';
import { serveWebhooks, type WebhookServer, type WebhookServerOptions } from '../../../web/webhooks/serve-webhooks.js';
import { type Office, openOffice } from '../../operations/office.js';

const secretOf = (words: string) => `whsec_${Buffer.from(words).toString('base64')}`;
const secret = secretOf('the secret of the service');

let office: Office;
let batchId: string;
let movieId: string;
let server: WebhookServer;
beforeEach(async () => {
  office = await openOffice();
  await office.scene.fund('acme/spring', 10_000);
  batchId = await office.scene.make(['a', 'b']);
  movieId = await office.scene.order(batchId, 'a');
  await office.scene.order(batchId, 'b');
  await setWakeUp(office.deps.ledger, { batchId, slice: 0, wakeAtMs: office.scene.nowMs + 1_000 });
  await serve({ secrets: [secret] });
});
afterEach(async () => {
  await server.close();
  await office.close();
});

async function serve(options: Partial<WebhookServerOptions>): Promise<void> {
  await server?.close();
  server = await serveWebhooks({ host: '127.0.0.1', port: 0, path: '/webhooks', secrets: [], ...options }, office.deps);
}

const eventOf = (id: string) => JSON.stringify({ id: 'msg_1', type: 'movie.completed', data: { id } });

function signed(body: string, { by = secret, id = 'msg_1', at = new Date() } = {}): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(by).sign(id, at, body),
  };
}

function send(
  body: string | ReadableStream | null,
  headers: Record<string, string> = {},
  init: RequestInit = {},
): Promise<Response> {
  const streamed = body instanceof ReadableStream ? ({ duplex: 'half' } as RequestInit) : {};
  return fetch(`http://127.0.0.1:${server.port}/webhooks`, { method: 'POST', body, headers, ...streamed, ...init });
}

/** What came of it, once everything that was received is passed on. */
async function outcome(): Promise<{ readonly told: readonly string[]; readonly due: readonly string[] }> {
  await server.close();
  const rows = await dueRows(office.deps.ledger, { batchId, slice: 0, nowMs: office.scene.nowMs, limit: 10 });
  return { told: office.told, due: rows.map(({ rowKey }) => rowKey) };
}

const nothing = { told: [], due: [] };
const woken = () => ({ told: [`follow ${batchId} 0`], due: ['a'] });

describe('an event', () => {
  test('that is signed makes its movie due and wakes its follower', async () => {
    const body = eventOf(movieId);
    const answer = await send(body, signed(body));
    expect(answer.status).toBe(204);
    expect(await outcome()).toEqual(woken());
  });

  test('that comes twice, or signed by either of two secrets, wakes it once', async () => {
    const next = secretOf('the secret after it');
    await serve({ secrets: [next, secret] });
    const body = eventOf(movieId);
    for (const headers of [signed(body), signed(body), signed(body, { by: next })]) {
      expect((await send(body, headers)).status).toBe(204);
    }
    expect(await outcome()).toEqual(woken());
  });

  test('of a movie that nobody ordered gets the same answer and changes nothing', async () => {
    const [known, unknown] = [eventOf(movieId), eventOf('movie_unknown')];
    const answers = [await send(known, signed(known)), await send(unknown, signed(unknown))];
    const seen = answers.map(({ status, headers }) => [status, [...headers.keys()]]);
    expect(seen[1]).toEqual(seen[0]);
    expect(await outcome()).toEqual(woken());
  });

  test('about something else than a movie is taken and changes nothing', async () => {
    const body = '{"type":"ping"}';
    expect((await send(body, signed(body))).status).toBe(204);
    expect(await outcome()).toEqual(nothing);
  });

  test('is taken unsigned where no secret is set', async () => {
    await serve({ secrets: [] });
    expect((await send(eventOf(movieId))).status).toBe(204);
    expect(await outcome()).toEqual(woken());
  });
});

describe('a forged event', () => {
  test.each([
    ['without a signature', () => ({})],
    ['signed by another secret', (body: string) => signed(body, { by: secretOf('a guess') })],
    ['with the signature of another body', () => signed(eventOf('movie_other'))],
    ['with an old signature', (body: string) => signed(body, { at: new Date(Date.now() - 6 * 60_000) })],
    ['with one from the future', (body: string) => signed(body, { at: new Date(Date.now() + 6 * 60_000) })],
    ['with another id than was signed', (body: string) => ({ ...signed(body), 'webhook-id': 'msg_2' })],
    ['with half a signature', (body: string) => ({ ...signed(body), 'webhook-signature': 'v1' })],
    ['with no time', (body: string) => ({ ...signed(body), 'webhook-timestamp': 'now' })],
  ])('%s is refused and changes nothing', async (_, headers) => {
    const body = eventOf(movieId);
    const answer = await send(body, headers(body));
    expect(answer.status).toBe(401);
    expect(await answer.text()).toBe(
      'Cannot take event: its signature is not one of a known secret, or is more than 5 minutes old\n',
    );
    expect(await outcome()).toEqual(nothing);
  });
});

describe('a hostile request', () => {
  test.each([
    ['not JSON', '{"data":'],
    ['empty', ''],
    ['no object', '"movie_1"'],
    ['null', 'null'],
    ['nested without end', '['.repeat(200_000)],
    ['not text', '\u0000\u0001'],
  ])('whose body is %s is refused, signed or not', async (_, body) => {
    expect((await send(body, signed(body))).status).toBe(400);
    await serve({ secrets: [] });
    expect((await send(body)).status).toBe(400);
    expect(await outcome()).toEqual(nothing);
  });

  test('with a body too large is refused before it is read, announced or not', async () => {
    const body = 'x'.repeat(256 * 1024 + 1);
    expect((await send(body, signed(body))).status).toBe(413);
    expect((await send(new Blob([body]).stream(), signed(body))).status).toBe(413);
    const fits = eventOf(movieId).padEnd(256 * 1024);
    expect((await send(new Blob([fits]).stream(), signed(fits))).status).toBe(204);
    expect(await outcome()).toEqual(woken());
  });

  test('by another method or at another path is refused', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS']) {
      const answer = await send(null, {}, { method });
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'POST']);
    }
    const elsewhere = await fetch(`http://127.0.0.1:${server.port}/`, { method: 'POST', body: eventOf(movieId) });
    expect(elsewhere.status).toBe(404);
    expect(await outcome()).toEqual(nothing);
  });

  test('that never ends is cut off', async () => {
    await serve({ requestTimeoutMs: 100 });
    const socket = connect(server.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('POST /webhooks HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{"data":');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /);
    expect(await outcome()).toEqual(nothing);
  });

  test('that announces less than it sends is read no further', async () => {
    const event = eventOf(movieId);
    const chunked = `${event.length.toString(16)}\r\n${event}\r\n0\r\n\r\n`;
    await serve({ secrets: [] });
    for (const [headers, body, status] of [
      ['Content-Length: 5', event, 400],
      ['Content-Length: 5\r\nTransfer-Encoding: chunked', chunked, 400],
      ['Transfer-Encoding: chunked', chunked, 204],
    ] as const) {
      const socket = connect(server.port, '127.0.0.1');
      await once(socket, 'connect');
      socket.write(`POST /webhooks HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers}\r\n\r\n${body}`);
      expect(await text(socket), headers).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    }
    expect(await outcome()).toEqual(woken());
  });

  test('whose sender hangs up half-way does no harm', async () => {
    const socket = connect(server.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('POST /webhooks HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{"data":');
    socket.resetAndDestroy();
    await once(socket, 'close');
    const body = eventOf(movieId);
    expect((await send(body, signed(body))).status).toBe(204);
    expect(await outcome()).toEqual(woken());
  });
});
