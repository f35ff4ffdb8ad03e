import { once } from 'node:events';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { inspect } from 'node:util';
import { Agent } from 'undici';
import { afterEach, describe, expect, test } from 'vitest';
import { ConnectionError } from '../../api/errors.js';
import { createMovieApi, type MovieApi, type MovieApiDeps } from '../../api/movie-api.js';
import { createProxy, type Toxic, type WireRequest } from '../wire/proxy.js';
import { bodyOf, json, movie, type Script, scriptedService } from './service.js';

const apiKey = 'sk-very-secret-0123';
const order = JSON.stringify({ prompt: movie.prompt, duration_seconds: 10 });
const idempotencyKey = 'gl_0123456789';

const releases: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const release of releases.splice(0).reverse()) await release();
});

function client(baseUrl: string, deps: Partial<MovieApiDeps> = {}): MovieApi {
  const api = createMovieApi({
    baseUrl,
    apiKey,
    timeouts: { connectMs: 5_000, headersMs: 5_000, bodyMs: 5_000 },
    ...deps,
  });
  releases.push(() => api.close());
  return api;
}

async function service(script: Script) {
  const started = await scriptedService(script);
  releases.push(() => started.close());
  return started;
}

/** A service that creates a movie for every POST that it reads to its end, behind a wire that breaks. */
async function countingService(toxic: (request: WireRequest) => Toxic) {
  const creates: string[] = [];
  const { port } = await service(async (request, response) => {
    if (request.method === 'POST') creates.push((await bodyOf(request)).toString());
    json(response, request.method === 'POST' ? 202 : 200, movie);
  });
  const proxy = await createProxy(port, toxic);
  releases.push(() => proxy.close());
  return { creates, proxy, baseUrl: `http://127.0.0.1:${proxy.port}/v1` };
}

async function failure(call: Promise<unknown>): Promise<ConnectionError> {
  const error = await call.then(
    () => expect.unreachable('the call should have failed'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ConnectionError);
  expect(inspect(error, { depth: null, showHidden: true })).not.toContain(apiKey);
  return error as ConnectionError; // just asserted
}

function promised(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

async function closedPort(): Promise<number> {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server has no other kind of address
  server.close();
  await once(server, 'close');
  return port;
}

describe('proof that nothing was sent', () => {
  test('a refused connection', async () => {
    const api = client(`http://127.0.0.1:${await closedPort()}/v1`);
    const error = await failure(api.createMovie(order, { idempotencyKey }));
    expect(error).toMatchObject({ sent: 'nothing', reason: 'connect' });
    expect(error.message).toMatch(
      /^Cannot create the movie: no connection to http:\/\/127\.0\.0\.1:\d+ \(ECONNREFUSED\); nothing was sent$/,
    );
  });

  test('a name that does not resolve', async () => {
    const api = client('http://nowhere.invalid/v1');
    expect(await failure(api.getMovie('movie_1'))).toMatchObject({ sent: 'nothing', reason: 'connect' });
  });

  test('every one of many calls to a refused port, also those that waited for a connection', async () => {
    const api = client(`http://127.0.0.1:${await closedPort()}/v1`, { maxConnections: 4 });
    const errors = await Promise.all(Array.from({ length: 200 }, () => failure(api.getMovie('movie_1'))));
    expect(new Set(errors.map(({ sent }) => sent))).toEqual(new Set(['nothing']));
  });

  test('a TLS handshake that fails', async () => {
    const { port } = await service((_, response) => json(response, 200, movie));
    const error = await failure(client(`https://127.0.0.1:${port}/v1`).createMovie(order, { idempotencyKey }));
    expect(error).toMatchObject({ sent: 'nothing', reason: 'connect' });
  });

  test('a handshake that never ends', async () => {
    const silent = createTcpServer((socket) => releases.push(async () => socket.destroy())).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    releases.push(async () => silent.close());
    const { port } = silent.address() as AddressInfo; // a TCP server has no other kind of address
    const api = client(`https://127.0.0.1:${port}/v1`, {
      timeouts: { connectMs: 50, headersMs: 5_000, bodyMs: 5_000 },
    });
    const error = await failure(api.createMovie(order, { idempotencyKey }));
    expect(error).toMatchObject({ sent: 'nothing', reason: 'connect' });
    expect(error.message).toContain('UND_ERR_CONNECT_TIMEOUT');
  });

  test('a signal that fired before', async () => {
    const { creates, proxy, baseUrl } = await countingService(() => ({ kind: 'pass' }));
    const call = client(baseUrl).createMovie(order, { idempotencyKey, signal: AbortSignal.abort() });
    expect(await failure(call)).toMatchObject({ sent: 'nothing', reason: 'aborted' });
    expect(proxy.requests).toEqual([]);
    expect(creates).toEqual([]);
  });

  test('a signal that fires while the call waits for a connection', async () => {
    const { promise: firstIsUnderWay, resolve } = promised();
    const { creates, proxy, baseUrl } = await countingService(({ index }) => {
      resolve();
      return index === 0 ? { kind: 'stall', afterBytes: 0 } : { kind: 'pass' };
    });
    const api = client(baseUrl, { maxConnections: 1 });
    const stalled = new AbortController();
    const first = failure(api.getMovie('movie_1', { signal: stalled.signal }));
    await firstIsUnderWay;
    const waiting = new AbortController();
    const second = failure(api.createMovie(order, { idempotencyKey, signal: waiting.signal }));
    waiting.abort();
    expect(await second).toMatchObject({ sent: 'nothing', reason: 'aborted' });
    stalled.abort();
    await first;
    // The connection is free again: the called-off create must not go out after all.
    expect(await api.getMovie('movie_1')).toMatchObject({ id: 'movie_1' });
    expect(proxy.requests.filter(({ line }) => line.startsWith('POST'))).toEqual([]);
    expect(creates).toEqual([]);
  });

  test('a client that was closed', async () => {
    const { baseUrl } = await countingService(() => ({ kind: 'pass' }));
    const api = client(baseUrl);
    await api.close();
    expect(await failure(api.createMovie(order, { idempotencyKey }))).toMatchObject({
      sent: 'nothing',
      reason: 'closed',
    });
  });
});

describe('an answer that was lost', () => {
  test.each<{ name: string; toxic: Toxic; creates: number; reason: string }>([
    { name: 'reset before the service saw it', toxic: { kind: 'reset_before' }, creates: 0, reason: 'reset' },
    { name: 'reset after the service acted', toxic: { kind: 'reset_after' }, creates: 1, reason: 'reset' },
    { name: 'cut within the headers', toxic: { kind: 'cut', afterBytes: 20 }, creates: 1, reason: 'reset' },
    { name: 'cut within the body', toxic: { kind: 'cut', afterBytes: 200 }, creates: 1, reason: 'reset' },
    {
      name: 'ended in good order within the headers',
      toxic: { kind: 'end', afterBytes: 20 },
      creates: 1,
      reason: 'reset',
    },
    {
      name: 'ended in good order within the body',
      toxic: { kind: 'end', afterBytes: 200 },
      creates: 1,
      reason: 'reset',
    },
    { name: 'ended before a byte', toxic: { kind: 'end', afterBytes: 0 }, creates: 1, reason: 'reset' },
    { name: 'stalled before the headers', toxic: { kind: 'stall', afterBytes: 0 }, creates: 1, reason: 'timeout' },
    { name: 'stalled within the body', toxic: { kind: 'stall', afterBytes: 200 }, creates: 1, reason: 'timeout' },
  ])('$name is `maybe`, and the request left once', async ({ toxic, creates: expected, reason }) => {
    const { creates, proxy, baseUrl } = await countingService(({ index }) => (index === 0 ? toxic : { kind: 'pass' }));
    const waitMs = reason === 'timeout' ? 1_000 : 30_000;
    const timeouts = { connectMs: 5_000, headersMs: waitMs, bodyMs: waitMs };
    const call = client(baseUrl, { timeouts }).createMovie(order, { idempotencyKey });
    expect(await failure(call)).toMatchObject({ sent: 'maybe', reason });
    expect(proxy.requests.map(({ line }) => line)).toEqual(['POST /v1/movies HTTP/1.1']);
    expect(creates).toHaveLength(expected);
  });

  test('a kept connection that dies under a create is `maybe`, and the create is not sent again', async () => {
    const { creates, proxy, baseUrl } = await countingService(({ line }) =>
      line.startsWith('POST') ? { kind: 'reset_before' } : { kind: 'pass' },
    );
    const api = client(baseUrl, { maxConnections: 1 });
    await api.getMovie('movie_1');
    expect(await failure(api.createMovie(order, { idempotencyKey }))).toMatchObject({ sent: 'maybe', reason: 'reset' });
    expect(proxy.requests.map(({ onConnection }) => onConnection)).toEqual([0, 1]);
    expect(creates).toEqual([]);
  });

  test('calls behind the one that was lost go out once each on a new connection', async () => {
    const { creates, proxy, baseUrl } = await countingService(({ index }) =>
      index === 0 ? { kind: 'reset_after' } : { kind: 'pass' },
    );
    const api = client(baseUrl, { maxConnections: 1 });
    const calls = Array.from({ length: 5 }, () => api.createMovie(order, { idempotencyKey }));
    const results = await Promise.allSettled(calls);
    expect(results.map(({ status }) => status)).toEqual([
      'rejected',
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'fulfilled',
    ]);
    expect(proxy.requests).toHaveLength(5);
    expect(creates).toHaveLength(5);
  });

  test('a signal that fires while the service works', async () => {
    const called = new AbortController();
    const { baseUrl } = await service(() => called.abort());
    const call = client(baseUrl).createMovie(order, { idempotencyKey, signal: called.signal });
    expect(await failure(call)).toMatchObject({ sent: 'maybe', reason: 'aborted' });
  });

  test('a client that is closed while the service works', async () => {
    let api: MovieApi | null = null;
    const { baseUrl } = await service(() => void api?.close());
    api = client(baseUrl);
    expect(await failure(api.createMovie(order, { idempotencyKey }))).toMatchObject({
      sent: 'maybe',
      reason: 'closed',
    });
  });

  test('what is not HTTP', async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {}).once('data', (request) => socket.end(`SSH-2.0-OpenSSH\r\n${request}`));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    releases.push(async () => server.close());
    const { port } = server.address() as AddressInfo; // a TCP server has no other kind of address
    const call = client(`http://127.0.0.1:${port}/v1`).createMovie(order, { idempotencyKey });
    expect(await failure(call)).toMatchObject({ sent: 'maybe', reason: 'reset' });
  });

  test('a body that comes in drops ends by the clock', async () => {
    let drops: NodeJS.Timeout | undefined;
    const { baseUrl } = await service((_, response) => {
      response.writeHead(202, { 'content-type': 'application/json' });
      drops = setInterval(() => response.write(' '), 20);
    });
    releases.push(async () => clearInterval(drops));
    const api = client(baseUrl, { timeouts: { connectMs: 5_000, headersMs: 5_000, bodyMs: 200 } });
    const error = await failure(api.createMovie(order, { idempotencyKey }));
    expect(error.message).toBe(
      'Cannot create the movie: the answer was incomplete after 0.2 s; the service may have received it',
    );
  });

  test('a dispatcher that repeats on its own is held to one send', async () => {
    const { proxy, baseUrl } = await countingService(() => ({ kind: 'reset_after' }));
    const { interceptors } = await import('undici');
    const agent = new Agent();
    releases.push(() => agent.destroy());
    const dispatcher = agent.compose(interceptors.retry({ maxRetries: 3, minTimeout: 1, methods: ['POST'] }));
    const call = client(baseUrl, { dispatcher }).createMovie(order, { idempotencyKey });
    expect(await failure(call)).toMatchObject({ sent: 'maybe', reason: 'reset' });
    expect(proxy.requests).toHaveLength(1);
  });
});

test('one signal for many calls is no leak: nothing is warned of, and every call ends with it', async () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on('warning', onWarning);
  releases.push(async () => process.off('warning', onWarning));
  const called = new AbortController();
  let arrived = 0;
  const { baseUrl } = await service(() => {
    arrived += 1;
    if (arrived === 40) called.abort();
  });
  const api = client(baseUrl);
  const calls = Array.from({ length: 40 }, () => failure(api.getMovie('movie_1', { signal: called.signal })));
  const reasons = (await Promise.all(calls)).map(({ reason }) => reason);
  expect(new Set(reasons)).toEqual(new Set(['aborted']));
  expect(warnings).toEqual([]);
});

describe('answers', () => {
  test('informational answers are not the answer', async () => {
    const { baseUrl } = await service((_, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      json(response, 200, movie);
    });
    expect(await client(baseUrl).getMovie('movie_1')).toMatchObject({ id: 'movie_1' });
  });

  test('a body longer than any answer can be is not read to its end', async () => {
    const { baseUrl } = await service((_, response) => {
      response.writeHead(202, { 'content-type': 'application/json' });
      const more = () => {
        while (response.write('x'.repeat(65_536)));
        response.once('drain', more);
      };
      more();
    });
    await expect(client(baseUrl).createMovie(order, { idempotencyKey })).rejects.toMatchObject({
      name: 'ContractError',
      status: 202,
    });
  });

  test('connections are kept and used again', async () => {
    const { proxy, baseUrl } = await countingService(() => ({ kind: 'pass' }));
    const api = client(baseUrl, { maxConnections: 2 });
    for (let round = 0; round < 3; round += 1) await Promise.all([api.getMovie('movie_1'), api.getMovie('movie_1')]);
    expect(proxy.requests.filter(({ onConnection }) => onConnection === 0)).toHaveLength(2);
  });

  test('a redirect is an error and is not followed: the key would go with it', async () => {
    const asked: (string | undefined)[] = [];
    const { baseUrl } = await service((request, response) => {
      asked.push(request.url);
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    const call = client(baseUrl).createMovie(order, { idempotencyKey });
    await expect(call).rejects.toMatchObject({ name: 'MovieApiError', status: 307, code: null });
    expect(asked).toEqual(['/v1/movies']);
  });
});
