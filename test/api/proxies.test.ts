import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createMovieApi } from '../../api/movie-api.js';
import { proxyFor, readProxies } from '../../api/proxies.js';
import { createRoutedFetch, createRoutes } from '../../api/routes.js';
import { askForAsset } from '../../archive/download/asset-answer.js';
import { createRemoteFiles } from '../../pricing/remote-files.js';
import { serveProxy } from './proxy-server.js';

const [proxy, other] = ['http://proxy.example:3128', 'http://other.example:8080'];

describe('which proxy an address has', () => {
  test.each([
    ['https of a capital variable', { HTTPS_PROXY: proxy }, 'https://movies.example/v1', proxy],
    [
      'https of a small one, which counts first',
      { https_proxy: proxy, HTTPS_PROXY: other },
      'https://a.example',
      proxy,
    ],
    ['http of its own', { http_proxy: proxy, https_proxy: other }, 'http://a.example', proxy],
    ['none for https where only http has one', { http_proxy: proxy }, 'https://a.example', null],
    ['the one for all', { all_proxy: proxy }, 'https://a.example', proxy],
    ['written without a scheme', { HTTPS_PROXY: 'proxy.example:3128' }, 'https://a.example', proxy],
    ['an empty variable', { HTTPS_PROXY: '' }, 'https://a.example', null],
    ['this machine by number', { http_proxy: proxy }, 'http://127.0.0.1:8080/v1', null],
    ['this machine by name', { http_proxy: proxy }, 'http://localhost:8080', null],
    ['this machine in IPv6', { http_proxy: proxy }, 'http://[::1]:8080', null],
    ['a host of no_proxy', { HTTPS_PROXY: proxy, NO_PROXY: 'x.example, a.example' }, 'https://a.example', null],
    ['its subdomain', { HTTPS_PROXY: proxy, no_proxy: 'a.example' }, 'https://cdn.a.example', null],
    ['not a host that ends alike', { HTTPS_PROXY: proxy, no_proxy: 'a.example' }, 'https://ba.example', proxy],
    ['a suffix with a dot', { HTTPS_PROXY: proxy, no_proxy: '.a.example' }, 'https://cdn.a.example', null],
    ['a suffix with a star', { HTTPS_PROXY: proxy, no_proxy: '*.A.example' }, 'https://cdn.a.example', null],
    ['everything', { HTTPS_PROXY: proxy, no_proxy: '*' }, 'https://a.example', null],
    ['a port that is meant', { HTTPS_PROXY: proxy, no_proxy: 'a.example:443' }, 'https://a.example', null],
    ['another port', { HTTPS_PROXY: proxy, no_proxy: 'a.example:8443' }, 'https://a.example', proxy],
    ['an address in IPv6', { HTTPS_PROXY: proxy, no_proxy: 'fd00::1' }, 'https://[fd00::1]/v1', null],
  ])('%s', (_, env, address, expected) => {
    expect(proxyFor(address, readProxies(env))).toBe(expected);
  });

  test('what is no address of a proxy is said by the name of its variable, without its password', () => {
    expect(() => readProxies({ HTTPS_PROXY: 'ftp://me:hush@x' })).toThrow(/^Cannot use HTTPS_PROXY: (?!.*hush)/);
  });
});

describe('what goes by the proxy', () => {
  async function serve(): Promise<number> {
    const server = createServer((request, response) => {
      if (request.url?.endsWith('/estimate')) return response.writeHead(503).end('{}');
      return response.end(`file of ${request.headers.host}`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return (server.address() as AddressInfo).port;
  }

  test('a call of the movie service', async () => {
    const { url, asked } = await serveProxy(await serve());
    const api = createMovieApi({ baseUrl: 'http://movies.example.test/v1', apiKey: 'key', proxy: url });
    onTestFinished(() => api.close());
    await expect(api.estimateMovie({ prompt: 'A quay', duration_seconds: 5 })).rejects.toThrow('503');
    expect(asked).toEqual(['movies.example.test:80']);
  });

  test('a proxy that is not there: nothing was sent, and it is named without its password', async () => {
    const api = createMovieApi({
      baseUrl: 'https://movies.example.test/v1',
      apiKey: 'key',
      proxy: 'http://me:hush@127.0.0.1:9',
    });
    onTestFinished(() => api.close());
    await expect(api.createMovie('{}', { idempotencyKey: 'key-12345' })).rejects.toMatchObject({
      sent: 'nothing',
      message: expect.stringMatching(/by the proxy 127\.0\.0\.1:9 \(ECONNREFUSED\); nothing was sent$/),
    });
  });

  test('a proxy that refuses the tunnel: nothing was sent', async () => {
    const port = await serve(); // answers no CONNECT
    const api = createMovieApi({
      baseUrl: 'https://movies.example.test/v1',
      apiKey: 'key',
      proxy: `http://127.0.0.1:${port}`,
    });
    onTestFinished(() => api.close());
    await expect(api.createMovie('{}', { idempotencyKey: 'key-12345' })).rejects.toMatchObject({ sent: 'nothing' });
  });

  test('a file of the service, and one on this machine directly', async () => {
    const port = await serve();
    const { url, asked } = await serveProxy(port);
    const dispatcher = createRoutes(readProxies({ http_proxy: url }));
    onTestFinished(() => dispatcher.close());
    for (const host of ['files.example.test', `127.0.0.1:${port}`]) {
      const answer = await askForAsset({
        url: `http://${host}/film.mp4`,
        from: null,
        signal: undefined,
        dispatcher,
        silenceMs: 5_000,
      });
      if (answer.kind !== 'whole') throw new Error(answer.kind);
      expect(await text(answer.body.bytes)).toBe(`file of ${host}`);
    }
    expect(asked).toEqual(['files.example.test:80']);
  });

  test('what is fetched to judge a service', async () => {
    const { url, asked } = await serveProxy(await serve());
    const routed = createRoutedFetch(readProxies({ HTTP_PROXY: url }));
    onTestFinished(() => routed.close());
    const request = new Request('http://movies.example.test/a', { method: 'POST', body: 'some bytes' });
    const answer = await routed.fetch(request, AbortSignal.timeout(5_000));
    expect(await answer.text()).toBe('file of movies.example.test');
    expect(asked).toEqual(['movies.example.test:80']);
  });

  test('a reference', async () => {
    const { url, asked } = await serveProxy(await serve());
    const folder = await mkdtemp(join(tmpdir(), 'greenlight-proxies-'));
    const files = createRemoteFiles({ folder, allowPrivate: true, proxies: readProxies({ HTTP_PROXY: url }) });
    onTestFinished(async () => {
      await files.close();
      await rm(folder, { recursive: true });
    });
    const { path } = await files.fetch({ url: 'http://pictures.example.test/a.png', sha256: null }, undefined);
    expect(await readFile(path, 'utf8')).toBe('file of pictures.example.test');
    expect(asked).toEqual(['pictures.example.test:80']);
  });
});
