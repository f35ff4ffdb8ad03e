import { connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ErrorBody } from '../../api/contract.js';
import { type ServeOptions, serveStudio } from '../../studio/serve.js';
import { apiKey, assetsOf, brief, callsOf, movieOf, temporaryFolder } from './open-studio.js';

const maxBytes = 512 * 1024;
/** Long enough for a body that is sent at once, on a busy machine too. */
const impatient = {
  body: { maxBytes, timeoutMs: 1_000 },
  upload: { maxBytes: 10_000, idleMs: 1_000, totalMs: 60_000 },
};
const patient = { body: { maxBytes, timeoutMs: 60_000 } };

async function serve(options: Partial<ServeOptions> = {}) {
  const served = await serveStudio({
    dataFolder: await temporaryFolder(),
    apiKeys: [apiKey],
    render: 'stub',
    books: true,
    port: 0,
    limits: patient,
    onError: (error) => {
      throw error;
    },
    ...options,
  });
  onTestFinished(() => served.close());
  return { ...served, ...callsOf(fetch, served.url) };
}

/** Everything that a server says to these bytes until it hangs up. */
function exchange(port: number, ...pieces: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      for (const piece of pieces) socket.write(piece);
    });
    onTestFinished(() => void socket.destroy());
    let said = '';
    socket.on('data', (chunk) => {
      said += chunk;
    });
    socket.on('error', () => undefined); // a reset is an end too
    socket.on('close', () => resolve(said));
  });
}

const head = `POST /v1/movies HTTP/1.1\r\nHost: studio\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\n`;

test('a movie is made, listed and downloaded over a port', async () => {
  const { url, port, create, call } = await serve();
  expect(url).toBe(`http://127.0.0.1:${port}/v1`);
  const [asset] = await assetsOf(await call('GET', `/movies/${await create()}/assets`));
  expect(asset?.url).toMatch(`${url}/files/`);
  const file = await fetch(asset?.url ?? '', { headers: { range: 'bytes=2-5' } });
  expect([file.status, (await file.arrayBuffer()).byteLength]).toEqual([206, 4]);
});

test('whoever downloads is told the length: of the whole, of a part, and before he asks for a byte', async () => {
  const { create, call } = await serve();
  const [asset] = await assetsOf(await call('GET', `/movies/${await create()}/assets`));
  const lengthOf = async (init: RequestInit) => {
    const answer = await fetch(asset?.url ?? '', init);
    return [answer.headers.get('content-length'), (await answer.arrayBuffer()).byteLength] as const;
  };
  const [announced, sizeBytes] = await lengthOf({});
  expect(announced).toBe(String(sizeBytes));
  expect(sizeBytes).toBeGreaterThan(1_000);
  expect(await lengthOf({ headers: { range: 'bytes=10-' } })).toEqual([String(sizeBytes - 10), sizeBytes - 10]);
  expect(await lengthOf({ method: 'HEAD' })).toEqual([String(sizeBytes), 0]);
});

test('200 connections that create with one key make one movie', async () => {
  const { create, studio } = await serve({ limits: {} });
  const headers = { 'idempotency-key': 'order-0001' };
  const ids = await Promise.all(Array.from({ length: 200 }, () => create(brief, { headers })));
  expect(new Set(ids).size).toBe(1);
  expect(studio.books().creates).toHaveLength(1);
});

describe('a sender who is slow or never ends is answered and hung up on, and harms nobody:', () => {
  test.each([
    ['a body that stops halfway', 'Content-Length: 500\r\n\r\n', '{"prompt":', '408', impatient],
    ['a body without length that stops', 'Transfer-Encoding: chunked\r\n\r\n', '5\r\n{"pro\r\n', '408', impatient],
    ['a body announced too large', 'Content-Length: 9999999\r\n\r\n', '{', '413', patient],
    [
      'a body without length or end',
      'Transfer-Encoding: chunked\r\n\r\n',
      `${'1000\r\n'}${'x'.repeat(4096)}\r\n`.repeat(200),
      '413',
      patient,
    ],
  ])('%s', async (_, headers, body, status, limits) => {
    const { port, create, studio } = await serve({ limits });
    const slow = exchange(port, head + headers, body);
    await create();
    expect(await slow).toMatch(new RegExp(`^HTTP/1.1 ${status} [\\s\\S]*connection: close`, 'i'));
    expect(studio.books().creates).toHaveLength(1);
  });

  test('an upload that stops', async () => {
    const { port, create } = await serve({ limits: impatient });
    const upload = head
      .replace('/movies', '/references')
      .replace('application/json', 'multipart/form-data; boundary=b');
    const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nsome';
    const slow = exchange(port, `${upload}Content-Length: 5000\r\n\r\n`, part);
    await create();
    expect(await slow).toMatch(/^HTTP\/1.1 408 /);
  });

  test.each([
    ['GET /v1/movies/movie_unknown', '404'],
    ['POST /v1/movies/movie_unknown/cancel', '404'],
    ['GET /v1/nothing', '404'],
    ['POST /v1/references', '415'],
  ])('a body that %s does not read, and that never ends', async (target, status) => {
    const { port, create } = await serve();
    const start = head.replace('POST /v1/movies', target);
    const endless = exchange(port, `${start}Transfer-Encoding: chunked\r\n\r\n`, '1000\r\n', 'x'.repeat(100));
    await create();
    expect(await endless).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  test('a body under an unknown key that never ends', async () => {
    const { port, create } = await serve();
    const endless = exchange(port, `${head.replace(apiKey, 'nobody')}Content-Length: 5000\r\n\r\n`, '{"prompt":');
    await create();
    expect(await endless).toMatch(/^HTTP\/1.1 401 /);
  });

  test.each([
    ['a connection that never sends', ''],
    ['a head that never ends', 'POST /v1/movies HTTP/1.1\r\nHost: stu'],
  ])('%s', async (_, sent) => {
    const { port, create } = await serve({ headersTimeoutMs: 1_000 });
    const silent = exchange(port, sent);
    await create();
    expect(await silent).toMatch(/^$|^HTTP\/1.1 408 /);
  });
});

describe('a path that leads elsewhere is no path of ours, as it stands on the wire:', () => {
  test.each([
    ['/v1/files/../../../../etc/passwd', '404'],
    ['/v1/files/..%2f..%2f..%2fetc%2fpasswd', '403'],
    ['/v1/files/%2e%2e/%2e%2e/studio.db', '404'],
    ['/v1/files/asset_1%00', '403'],
    ['/v1/files//etc/passwd', '404'],
    ['/v1/movies/movie_1/../../files/asset_1', '403'],
    ['/v1/movies/movie_1%00', '400'],
    ['/v1/movies/movie_1%0a', '400'],
    ['/v1/movies/%6dovie_%ff', '400'],
    ['/v1/movies/movie_..%5c..%5cstudio.db/assets', '400'],
    ['http://elsewhere.test/v1/movies/..%2f/assets', '400'],
  ])('%s', async (target, status) => {
    const { port } = await serve();
    const request = `GET ${target} HTTP/1.1\r\nHost: studio\r\nAuthorization: Bearer ${apiKey}\r\nConnection: close\r\n\r\n`;
    const said = await exchange(port, request);
    expect(said).toMatch(new RegExp(`^HTTP/1.1 ${status} [\\s\\S]*"request_id":"req_`));
    expect(said).not.toMatch(/SQLite|root:/);
  });
});

test('a request whose target cannot be read is refused in the shape of the interface', async () => {
  const { port } = await serve();
  const answer = await exchange(port, 'GET /v1/\\movies HTTP/1.1\r\nHost: studio\r\nConnection: close\r\n\r\n');
  expect(answer).toMatch(/^HTTP\/1.1 400 [\s\S]*"code":"invalid_request"/);
});

describe('what is no request is refused in the shape of the interface, and the connection ends:', () => {
  const large = 'x'.repeat(20_000);
  test.each([
    ['no HTTP', 'hello\r\n\r\n', '400', 'invalid_request'],
    ['another version of it', 'GET /v1/movies HTTP/9.9\r\nHost: studio\r\n\r\n', '400', 'invalid_request'],
    ['a header without a colon', 'GET /v1/movies HTTP/1.1\r\nHost\r\n\r\n', '400', 'invalid_request'],
    ['no host', 'GET /v1/movies HTTP/1.1\r\nConnection: close\r\n\r\n', '400', 'invalid_request'],
    ['two lengths', `${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`, '400', 'invalid_request'],
    ['a length and chunks', `${head}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`, '400', 'invalid_request'],
    ['a length that is none', `${head}Content-Length: many\r\n\r\n`, '400', 'invalid_request'],
    ['a chunk without a size', `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, '400', 'invalid_request'],
    ['a head of 20,000 bytes', `${head}X-Large: ${large}\r\n\r\n`, '431', 'headers_too_large'],
    ['a target of 20,000 bytes', `GET /v1/${large} HTTP/1.1\r\nHost: studio\r\n\r\n`, '431', 'headers_too_large'],
    ['another expectation', `${head}Expect: wonders\r\nContent-Length: 2\r\n\r\n{}`, '417', 'expectation_failed'],
  ])('%s', async (_, sent, status, code) => {
    const { port, studio } = await serve();
    const [answerHead = '', body = ''] = (await exchange(port, sent)).split('\r\n\r\n');
    expect(answerHead).toMatch(new RegExp(`^HTTP/1.1 ${status} [\\s\\S]*content-type: application/json`, 'i'));
    const { error } = ErrorBody.parse(JSON.parse(body));
    expect(error.code).toBe(code);
    expect(answerHead.toLowerCase()).toContain(`x-request-id: ${error.request_id.toLowerCase()}`);
    expect(studio.books().creates).toEqual([]);
  });

  test('a head that takes too long', async () => {
    const { port } = await serve({ headersTimeoutMs: 50 });
    expect(await exchange(port, 'POST /v1/movies HTTP/1.1\r\nHost: stu')).toMatch(
      /^HTTP\/1.1 408 [\s\S]*"code":"request_timeout"/,
    );
  });

  test('it is never taken for the answer to a create before it on the same connection', async () => {
    const { port, studio } = await serve({ faults: { rules: [{ effect: 'stall', done: true, seconds: 0.3 }] } });
    const body = JSON.stringify(brief);
    const said = await exchange(port, `${head}Content-Length: ${body.length}\r\n\r\n${body}`, 'hello\r\n\r\n');
    expect(said).not.toContain('HTTP/1.1 4');
    expect(studio.books().creates.length).toBeLessThanOrEqual(1);
  });
});

test('addresses in answers are those of the proxy before it, or of the request where it listens everywhere', async () => {
  const proxied = await serve({ publicUrl: 'https://movies.example/api/v1' });
  const [asset] = await assetsOf(await proxied.call('GET', `/movies/${await proxied.create()}/assets`));
  expect(asset?.url).toMatch(/^https:\/\/movies\.example\/api\/v1\/files\/asset_/);
  const everywhere = await serve({ host: '0.0.0.0' });
  const { call, create } = callsOf(fetch, `http://localhost:${everywhere.port}/v1`);
  const [file] = await assetsOf(await call('GET', `/movies/${await create()}/assets`));
  expect(file?.url).toMatch(`http://localhost:${everywhere.port}/v1/files/asset_`);
});

describe('a broken connection', () => {
  test('before the request: nothing was done', async () => {
    const { call, studio } = await serve({ faults: { rules: [{ effect: 'reset_before', operation: 'createMovie' }] } });
    await expect(call('POST', '/movies', { body: brief })).rejects.toThrow('fetch failed');
    expect(studio.books().creates).toEqual([]);
    expect(studio.books().requests).toMatchObject([{ operation: 'createMovie', status: null, fault: 'reset_before' }]);
  });

  test('after the request: it was done, and the answer is lost', async () => {
    const { call, studio } = await serve({
      faults: { rules: [{ effect: 'reset_after', operation: 'createMovie', calls: 1 }] },
    });
    const headers = { 'idempotency-key': 'order-0001' };
    await expect(call('POST', '/movies', { body: brief, headers })).rejects.toThrow('fetch failed');
    const [movie] = studio.books().creates;
    expect((await movieOf(await call('POST', '/movies', { body: brief, headers }))).id).toBe(movie?.movieId);
    expect(studio.books().creates).toHaveLength(1);
  });

  test('in the middle of an answer: the length is announced, the body ends early', async () => {
    const { call, create } = await serve({
      faults: { rules: [{ effect: 'truncate', operation: 'getMovie', keepBytes: 10 }] },
    });
    const answer = await call('GET', `/movies/${await create()}`);
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
  });

  test('stalled until the client gives up', async () => {
    const { call, studio } = await serve({ faults: { rules: [{ effect: 'stall', operation: 'createMovie' }] } });
    const signal = AbortSignal.timeout(30);
    await expect(call('POST', '/movies', { body: brief, signal })).rejects.toThrow();
    expect(studio.books().creates).toEqual([]);
  });
});

test('closing breaks what hangs, and leaves no connection', async () => {
  const served = await serveStudio({
    dataFolder: await temporaryFolder(),
    apiKeys: [apiKey],
    render: 'stub',
    port: 0,
    faults: { rules: [{ effect: 'stall' }] },
  });
  const hanging = callsOf(fetch, served.url)
    .call('POST', '/movies', { body: brief })
    .catch((error: Error) => error.message);
  await untilConnected(served.port);
  await served.close();
  expect(await hanging).toBe('fetch failed');
});

async function untilConnected(port: number): Promise<void> {
  const socket = await new Promise<Socket>((resolve) => {
    const opened: Socket = connect(port, '127.0.0.1', () => resolve(opened));
  });
  socket.destroy();
}

test('a port that is taken is an error, and the data folder is free again', async () => {
  const dataFolder = await temporaryFolder();
  const { port } = await serve();
  await expect(serveStudio({ dataFolder, apiKeys: [apiKey], port })).rejects.toThrow('EADDRINUSE');
  await serve({ dataFolder });
});
