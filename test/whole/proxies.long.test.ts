import { expect, test } from 'vitest';
import { serveProxy } from '../api/proxy-server.js';
import { expectPromisesKept, makeHome, threeBriefs } from './home.js';
import { apiKey, serveMovies } from './service.js';

const minutes = 60_000;
const money = ['--budget', '20USD', '--yes'];

test(
  "proxies that are set and away: the home's own servers are reached without them",
  { timeout: 2 * minutes },
  async () => {
    const home = await makeHome();
    const away = 'http://127.0.0.1:9';
    const env = { http_proxy: away, https_proxy: away, HTTP_PROXY: away, HTTPS_PROXY: away };
    const ended = await home.run(['run', await home.sheet(threeBriefs), ...money], env);
    expect(ended.code, ended.stderr).toBe(0);
    await expectPromisesKept(home, await home.books());
  },
);

test(
  'a service behind a proxy: its calls and its files go by it, and doctor says so',
  { timeout: 2 * minutes },
  async () => {
    const home = await makeHome();
    const service = await serveMovies();
    const proxy = await serveProxy(service.port);
    const env = {
      HTTP_PROXY: proxy.url,
      MOVIE_API_URL: 'http://movies.example.test/v1',
      MOVIE_API_PLAIN_HTTP_HOST: 'movies.example.test',
      MOVIE_API_KEY: apiKey,
    };
    const found = await home.json<unknown[]>(['doctor'], { env });
    expect(found).toContainEqual({
      part: 'movie service',
      ok: true,
      words: `movies.example.test, http://movies.example.test/v1, by the proxy ${new URL(proxy.url).host}`,
    });
    const ended = await home.run(['run', await home.sheet(threeBriefs), ...money], env);
    expect(ended.code, ended.stderr).toBe(0);
    expect(new Set(proxy.asked)).toEqual(new Set(['movies.example.test:80']));
    const books = service.studio.books();
    expect(books.creates).toHaveLength(3);
    await expectPromisesKept(home, books);
  },
);
