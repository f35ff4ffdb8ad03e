import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../home/config.js';

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'greenlight-config-'));
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

const read = (env: Record<string, string> = {}, flags = {}) => readConfig({ env, cwd, flags });
const settings = (text: string) => writeFile(join(cwd, 'greenlight.config.yaml'), text);

describe('readConfig', () => {
  test('needs nothing: the embedded parts live under .greenlight, files under out', async () => {
    const config = await read();
    expect(config).toMatchObject({
      home: join(cwd, '.greenlight'),
      databaseUrl: `sqlite:${join(cwd, '.greenlight', 'ledger.db')}`,
      archiveUrl: `file:${join(cwd, 'out')}`,
      movieApi: null,
      temporal: null,
      billing: { failed: 'charged', canceled: 'charged' },
      idempotency: { mode: 'replay', windowHours: 24 },
    });
  });

  test('flags win over environment, environment over file, file over defaults', async () => {
    await settings('home: from-file\nmaxInFlight: 7\narchive: file:from-file\n');
    expect(await read()).toMatchObject({ home: join(cwd, 'from-file'), maxInFlight: 7 });
    const env = { GREENLIGHT_HOME: 'from-env', GREENLIGHT_ARCHIVE_URL: 'file:from-env' };
    expect(await read(env)).toMatchObject({ home: join(cwd, 'from-env'), archiveUrl: `file:${join(cwd, 'from-env')}` });
    expect(await read(env, { home: 'from-flag', out: 'films' })).toMatchObject({
      home: join(cwd, 'from-flag'),
      archiveUrl: `file:${join(cwd, 'films')}`,
    });
  });

  test('an empty variable counts as not set', async () => {
    const empty = { GREENLIGHT_HOME: '', GREENLIGHT_DATABASE_URL: '', MOVIE_API_URL: '', GREENLIGHT_MAX_IN_FLIGHT: '' };
    expect(await read(empty)).toEqual(await read());
  });

  test('traces of code are for those who ask for them', async () => {
    expect((await read()).debug).toBe(false);
    expect((await read({ GREENLIGHT_DEBUG: '1' })).debug).toBe(true);
  });

  test('the ledger moves with the home', async () => {
    expect((await read({ GREENLIGHT_HOME: '/srv/gl' })).databaseUrl).toBe('sqlite:/srv/gl/ledger.db');
  });

  test('a real movie service needs its key and a ledger that was named', async () => {
    const url = { MOVIE_API_URL: 'https://movies.example/v1/' };
    await expect(read(url)).rejects.toThrow('MOVIE_API_KEY is not set');
    await expect(read({ ...url, MOVIE_API_KEY: 'k' })).rejects.toThrow(
      'neither GREENLIGHT_HOME nor GREENLIGHT_DATABASE_URL',
    );
    const config = await read({ ...url, MOVIE_API_KEY: 'k', GREENLIGHT_HOME: 'h' });
    expect(config.movieApi).toEqual({ url: 'https://movies.example/v1', key: 'k', name: 'movies.example' });
  });

  test('an address for Temporal that its own tools would use is used', async () => {
    const env = { TEMPORAL_ADDRESS: 'temporal.example:7233', TEMPORAL_NAMESPACE: 'films' };
    expect((await read(env)).temporal).toMatchObject({ address: 'temporal.example:7233', namespace: 'films' });
  });

  test.each([
    ['maxInFlight: many', 'maxInFlight'],
    ['ordersPerSecond: 0', 'ordersPerSecond'],
    ['ordersPerSecond: fast', 'ordersPerSecond: must be a number'],
    ['databse: sqlite:x', 'databse'],
    ['database: mysql://x', 'must begin with sqlite: or postgres://'],
    ['archive: ftp://x', 'must begin with file:'],
    ['studio: { render: imax }', 'studio.render'],
    ['- a list', 'a map of settings'],
    ['{ broken', 'greenlight.config.yaml'],
  ])('refuses %j by its name', async (text, names) => {
    await settings(text);
    const refusal = await read().then(
      () => null,
      (error: unknown) => error,
    );
    expect(refusal).toBeInstanceOf(ConfigError);
    expect((refusal as ConfigError).message).toContain(names);
  });

  test.each([
    ['\nmaxInFlight: many', 'maxInFlight: must be a number (greenlight.config.yaml, line 2)'],
    [
      'studio:\n  render: imax',
      'studio.render: Invalid option: expected one of "film"|"draft"|"stub" (greenlight.config.yaml, line 2)',
    ],
    [
      'home: h\nmovieApi:\n  adress: x',
      'movieApi.adress: there is no such setting (greenlight.config.yaml, line 3); there are url, key, name, plainHttpHost',
    ],
    ['home: h\npolling: { ceilingMs: 1 }', '(greenlight.config.yaml, line 2)'],
  ])('names the line of %j', async (text, words) => {
    await settings(text);
    await expect(read()).rejects.toThrow(words);
  });

  test('names the variable or flag that a value came from', async () => {
    await settings('maxInFlight: 7\n');
    await expect(read({ GREENLIGHT_MAX_IN_FLIGHT: 'many' })).rejects.toThrow(
      'maxInFlight: must be a number (GREENLIGHT_MAX_IN_FLIGHT)',
    );
    await expect(read({}, { render: 'imax' })).rejects.toThrow('(--render)');
  });

  test('reads another file where one is named, which must be there', async () => {
    await settings('maxInFlight: 7\n');
    await writeFile(join(cwd, 'fleet.yaml'), 'maxInFlight: 9\n');
    expect(await read({ GREENLIGHT_CONFIG: 'fleet.yaml' })).toMatchObject({ maxInFlight: 9 });
    await expect(read({ GREENLIGHT_CONFIG: 'flet.yaml' })).rejects.toThrow(
      'Cannot read flet.yaml: there is no such file',
    );
  });

  test('never repeats a key in a message', async () => {
    const refusal = await read({ MOVIE_API_URL: 'nonsense', MOVIE_API_KEY: 'sk-secret' }).catch(
      (error: unknown) => error,
    );
    expect(String(refusal)).toContain('movieApi.url');
    expect(String(refusal)).not.toContain('sk-secret');
  });

  describe('webhooks', () => {
    const service = { MOVIE_API_URL: 'https://movies.example/v1', MOVIE_API_KEY: 'k', GREENLIGHT_HOME: 'h' };
    const url = 'https://hooks.example/greenlight';
    const secret = `whsec_${btoa('a secret')}`;
    const hooked = (listen: string) => ({ ...service, GREENLIGHT_WEBHOOK_URL: url, GREENLIGHT_WEBHOOK_LISTEN: listen });

    test('are off unless an address is given, and are no business of the own studio', async () => {
      expect((await read(service)).webhooks).toBeNull();
      expect((await read({ GREENLIGHT_WEBHOOK_URL: url })).webhooks).toBeNull();
      expect((await read({ ...service, GREENLIGHT_WEBHOOK_URL: url })).webhooks).toEqual({
        url,
        listen: null,
        secrets: [],
      });
    });

    test.each([
      ['8090', '127.0.0.1', 8090],
      ['0.0.0.0:80', '0.0.0.0', 80],
      ['[::1]:8090', '::1', 8090],
      ['hooks.internal:443', 'hooks.internal', 443],
    ])('listen at %j', async (listen, host, port) => {
      expect((await read(hooked(listen))).webhooks?.listen).toEqual({ host, port });
    });

    test('take several secrets, from the settings file too', async () => {
      const other = btoa('another').padEnd(12, '=');
      await settings(`webhooks: { url: "${url}", listen: 8090, secret: "${secret} ${other}" }`);
      expect((await read(service)).webhooks).toEqual({
        url,
        listen: { host: '127.0.0.1', port: 8090 },
        secrets: [secret, other],
      });
    });

    test.each([
      ['GREENLIGHT_WEBHOOK_LISTEN', '99999', 'webhooks.listen: must be host:port, or a port from 1 to 65535'],
      ['GREENLIGHT_WEBHOOK_LISTEN', '0', 'webhooks.listen: must be host:port, or a port from 1 to 65535'],
      ['GREENLIGHT_WEBHOOK_LISTEN', 'a b:80', 'webhooks.listen: must be host:port, or a port from 1 to 65535'],
      ['GREENLIGHT_WEBHOOK_LISTEN', '::1:80', 'webhooks.listen: must be host:port, or a port from 1 to 65535'],
      ['GREENLIGHT_WEBHOOK_URL', 'http://hooks.example/', 'webhooks.url: must be an https address'],
      ['GREENLIGHT_WEBHOOK_URL', 'ftp://hooks.example/', 'webhooks.url: must be an https address'],
      ['GREENLIGHT_WEBHOOK_URL', 'hooks.example', 'webhooks.url: must be an https address'],
      ['GREENLIGHT_WEBHOOK_SECRET', 'whsec_', 'webhooks.secret: must be whsec_ and base64'],
      ['GREENLIGHT_WEBHOOK_SECRET', 'whsec_hush', null],
      ['GREENLIGHT_WEBHOOK_SECRET', 'whsec_hush!', 'webhooks.secret: must be whsec_ and base64'],
      ['GREENLIGHT_WEBHOOK_SECRET', `${secret} hus`, 'webhooks.secret: must be whsec_ and base64'],
    ])('%s=%s', async (name, value, problem) => {
      const reading = read({ ...hooked('8090'), [name]: value });
      if (problem === null) await expect(reading).resolves.toBeDefined();
      else await expect(reading).rejects.toThrow(problem);
    });

    test('never show a secret in a message', async () => {
      const refusal = await read({ ...hooked('8090'), GREENLIGHT_WEBHOOK_SECRET: 'whsec_hush!' }).catch(String);
      expect(refusal).toContain('webhooks.secret');
      expect(refusal).not.toContain('hush');
    });

    test('cannot be received without the address that they are sent to', async () => {
      await expect(read({ ...service, GREENLIGHT_WEBHOOK_LISTEN: '8090' })).rejects.toThrow(
        'Cannot use GREENLIGHT_WEBHOOK_LISTEN: GREENLIGHT_WEBHOOK_URL is not set',
      );
    });
  });
});
