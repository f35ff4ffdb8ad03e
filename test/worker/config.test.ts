import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../worker/config.js';

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
    ['databse: sqlite:x', 'databse'],
    ['database: mysql://x', 'must begin with sqlite: or postgres://'],
    ['archive: ftp://x', 'must begin with file:'],
    ['studio: { render: imax }', 'studio.render'],
    ['- a list', 'settings by name'],
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

  test('never repeats a key in a message', async () => {
    const refusal = await read({ MOVIE_API_URL: 'nonsense', MOVIE_API_KEY: 'sk-secret' }).catch(
      (error: unknown) => error,
    );
    expect(String(refusal)).toContain('movieApi.url');
    expect(String(refusal)).not.toContain('sk-secret');
  });
});
