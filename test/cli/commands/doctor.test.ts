import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { stopInBackground } from '../../../home/background-process.js';
import { freePort } from '../../../home/free-port.js';
import { startTemporalServer } from '../../../home/temporal/temporal-server.js';
import { openPlace, type Place } from '../terminal.js';

let place: Place;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.close());

const elsewhere = { TEMPORAL_ADDRESS: '127.0.0.1:9' };
const service = { ...elsewhere, MOVIE_API_URL: 'http://127.0.0.1:9/v1', MOVIE_API_KEY: 'k' };
const url = 'https://hooks.example/greenlight';
const secret = `whsec_${btoa('hush')}`;

describe('doctor', () => {
  test('says of a ledger that is behind its archive what to do', async () => {
    await place.ledger.db.updateTable('ledger').set({ halted: 'the archive is ahead of this ledger' }).execute();
    const { out, code } = await place.run(['doctor', '--json'], { env: service });
    const words = 'Cannot order: the archive is ahead of this ledger; see "greenlight reconcile restored"';
    expect(JSON.parse(out)).toContainEqual({ part: 'ledger', ok: false, words });
    expect(code).toBe(4);
  });

  test.each([
    ['of the own studio', elsewhere, 'from the built-in studio, received by run and worker'],
    ['that are not set up', service, 'none: movies are polled; set GREENLIGHT_WEBHOOK_URL to receive events'],
    ['that go elsewhere', { ...service, GREENLIGHT_WEBHOOK_URL: url }, `${url}, received by another machine`],
    [
      'that nobody checks',
      { ...service, GREENLIGHT_WEBHOOK_URL: url, GREENLIGHT_WEBHOOK_LISTEN: '8090' },
      `${url}, received at 127.0.0.1:8090, NOT checked, since GREENLIGHT_WEBHOOK_SECRET is not set`,
    ],
    [
      'that are checked',
      {
        ...service,
        GREENLIGHT_WEBHOOK_URL: url,
        GREENLIGHT_WEBHOOK_LISTEN: '0.0.0.0:80',
        GREENLIGHT_WEBHOOK_SECRET: secret,
      },
      `${url}, received at 0.0.0.0:80, signatures checked`,
    ],
  ])('says of events %s where they are received', async (_, env, words) => {
    const { out } = await place.run(['doctor', '--json'], { env });
    expect(JSON.parse(out)).toContainEqual({ part: 'webhooks', ok: true, words });
    expect(out).not.toContain(secret);
  });

  test('says of a Temporal that is away what is missing, and does not send the reader back to itself', async () => {
    const words = 'Cannot make movies: Temporal does not answer';
    expect(await found('workers', {})).toEqual({ part: 'workers', ok: false, words });
  });

  async function found(part: string, env: Record<string, string>): Promise<unknown> {
    const { out } = await place.run(['doctor', '--json'], { env: { ...elsewhere, ...env } });
    return (JSON.parse(out) as { part: string }[]).find((one) => one.part === part);
  }

  test('makes nothing: neither the home, nor the ledger, nor the archive', async () => {
    const home = join(place.folder, 'nowhere', 'home');
    expect(await found('home', { GREENLIGHT_HOME: home })).toMatchObject({
      ok: true,
      words: expect.stringContaining(`${home}, made when it is needed, `),
    });
    expect(existsSync(join(place.folder, 'nowhere'))).toBe(false);
    expect(existsSync(join(place.folder, 'out'))).toBe(false);
  });

  test('a service that is away is named, with what to check', async () => {
    expect(await found('movie service', service)).toEqual({
      part: 'movie service',
      ok: false,
      words:
        'Cannot reach 127.0.0.1:9: no connection to http://127.0.0.1:9 (ECONNREFUSED); check MOVIE_API_URL, and that the service is running',
    });
  });

  test('an address without its version is noticed where the service is not found there', async () => {
    const server = createServer(({ url }, response) =>
      response.writeHead(url?.startsWith('/v1/') ? 503 : 404).end('{}'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const key = { MOVIE_API_KEY: 'k' };
    const { ok, words } = (await found('movie service', { ...key, MOVIE_API_URL: address })) as Found;
    expect(ok).toBe(false);
    expect(words).toMatch(/404.*MOVIE_API_URL ends without a version, expected as http:\/\/127\.0\.0\.1:\d+\/v1$/);
    expect(await found('movie service', { ...key, MOVIE_API_URL: `${address}/v1` })).toMatchObject({ ok: true });
  });

  test('plain http to another host is refused, unless it is allowed for this host', async () => {
    const plain = { ...service, MOVIE_API_URL: 'http://movies.example.test/v1' };
    const refused = await place.run(['doctor'], { env: plain });
    expect(refused.code).toBe(2);
    expect(refused.err).toMatch(
      /^Cannot use MOVIE_API_URL: http would send the key to movies\.example\.test in clear; use https, or allow it for this host by MOVIE_API_PLAIN_HTTP_HOST=movies\.example\.test$/m,
    );
    const other = await place.run(['doctor'], { env: { ...plain, MOVIE_API_PLAIN_HTTP_HOST: 'other.example.test' } });
    expect(other.code).toBe(2);
    const allowed = await place.run(['doctor'], {
      env: { ...plain, MOVIE_API_PLAIN_HTTP_HOST: 'movies.example.test' },
    });
    expect(allowed.code).toBe(4);
  });

  test('two servers in one home, and one that nobody uses', async () => {
    const env = { GREENLIGHT_HOME: join(place.folder, 'crowded') };
    const start = async () =>
      startTemporalServer({
        home: env.GREENLIGHT_HOME,
        port: await freePort(),
        env: process.env,
        say: () => undefined,
      });
    const one = await start();
    onTestFinished(() => void stopInBackground(one));
    expect(await found('home', env)).toMatchObject({
      ok: true,
      words: expect.stringContaining(`temporal (process ${one}) left running; the next run or worker uses it`),
    });
    const two = await start();
    onTestFinished(() => void stopInBackground(two));
    const { ok, words } = (await found('home', env)) as Found;
    expect(ok).toBe(false);
    expect(words).toMatch(/temporal runs in it 2 times \(processes \d+, \d+\); the next run or worker keeps one/);
  });
});

interface Found {
  readonly ok: boolean;
  readonly words: string;
}
