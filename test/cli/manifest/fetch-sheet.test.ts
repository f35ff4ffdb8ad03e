import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { text } from 'node:stream/consumers';
import { MockAgent } from 'undici';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fetchSheet } from '../../../cli/manifest/fetch-sheet.js';
import { campaignOf, sheetAddress } from '../../../cli/manifest/sheet-address.js';

const sheet = 'https://docs.google.com/spreadsheets/d/1AbC_d-E';

describe('the address of a sheet', () => {
  test.each([
    [`${sheet}/edit`, `${sheet}/export?format=xlsx`],
    [`${sheet}/edit?usp=sharing#gid=42`, `${sheet}/export?format=csv&gid=42`],
    [`${sheet.replace('/d/', '/u/1/d/')}/edit?gid=0#gid=0`, `${sheet}/export?format=csv&gid=0`],
    [
      `https://docs.google.com/spreadsheets/d/e/2PACX-1v/pubhtml`,
      'https://docs.google.com/spreadsheets/d/e/2PACX-1v/pub?output=csv',
    ],
    [
      'https://docs.google.com/spreadsheets/d/e/2PACX-1v/pubhtml?gid=7&single=true',
      'https://docs.google.com/spreadsheets/d/e/2PACX-1v/pub?output=csv&single=true&gid=7',
    ],
    ['https://films.example/spring.csv?sig=secret', 'https://films.example/spring.csv?sig=secret'],
  ])('%s is got from %s', (address, download) => {
    expect(sheetAddress(address)?.download).toBe(download);
  });

  test('is shown and audited without its query, which may be a signature', () => {
    expect(sheetAddress('https://films.example/spring.csv?sig=secret')?.name).toBe('https://films.example/spring.csv');
  });

  test.each([
    [
      `attachment; filename="Frühling 26 - Sheet1.csv"; filename*=UTF-8''Fr%C3%BChling%2026%20-%20Sheet1.csv`,
      'fruhling-26-Sheet1',
    ],
    ['attachment; filename=spring.xlsx', 'spring'],
    [null, 'launch'],
    ['inline; filename="日本.csv"', null],
  ])('a server that says %j names the campaign %j', (disposition, campaign) => {
    const found = campaignOf(disposition, { name: 'https://films.example/a/Launch.csv' });
    expect(found?.toLowerCase() ?? null).toBe(campaign?.toLowerCase() ?? null);
  });
});

describe('fetching a sheet', () => {
  let agent: MockAgent;
  let leftBefore: readonly string[];
  beforeEach(async () => {
    agent = new MockAgent();
    agent.disableNetConnect();
    leftBefore = await left();
  });
  afterEach(async () => {
    await agent.close();
    expect(await left()).toEqual(leftBefore);
  });

  const left = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('greenlight-sheet-'));
  const fetched = (address: string) => fetchSheet(address, { allowPrivate: false, agent });
  const google = () => agent.get('https://docs.google.com');
  const path = '/spreadsheets/d/1AbC_d-E/export?format=csv&gid=0';

  test('follows Google to where it keeps files, and has no files of this machine', async () => {
    const there = 'https://doc-0s-sheets.googleusercontent.com/export/x';
    google()
      .intercept({ path })
      .reply(307, '', { headers: { location: there } });
    agent
      .get('https://doc-0s-sheets.googleusercontent.com')
      .intercept({ path: '/export/x' })
      .reply(200, 'id,prompt\n', { headers: { 'content-disposition': 'attachment; filename="Spring.csv"' } });
    const { source, close } = await fetched(`${sheet}/edit#gid=0`);
    expect(await text(source.open())).toBe('id,prompt\n');
    expect(source).toMatchObject({ name: `${sheet}/edit#gid=0`, campaign: 'spring' });
    expect(await readdir(source.folder)).toEqual([]);
    await close();
  });

  test.each([
    ['a sign-in page', 302, 'https://accounts.google.com/ServiceLogin?x', 'it is not shared'],
    ['another server', 302, 'https://evil.example/x', 'it leads to evil.example, which is not followed'],
    ['plain http', 302, 'http://docs.google.com/x', 'it leads to docs.google.com, which is not followed'],
    ['no one may read it', 403, null, 'it is not shared'],
    ['it is gone', 404, null, 'the answer is 404'],
  ])('is refused at %s, and says how to share it', async (_, status, location, words) => {
    google()
      .intercept({ path })
      .reply(status, '', { headers: location === null ? {} : { location } });
    await expect(fetched(`${sheet}/edit#gid=0`)).rejects.toThrow(
      `Cannot read ${sheet}/edit#gid=0: ${words}; in Google Sheets: Share > General access`,
    );
  });

  test('goes to no address of a private network, and not by plain http', async () => {
    await expect(fetched('https://127.0.0.1/spring.csv')).rejects.toThrow('it is an address of a private network');
    await expect(fetched('http://films.example/spring.csv')).rejects.toThrow('it is not an https address');
  });

  test.each([
    ['ENOTFOUND', 'its host is not found (ENOTFOUND); check the address and the network'],
    ['ECONNREFUSED', 'nothing listens there (ECONNREFUSED); check the address'],
    ['UND_ERR_BODY_TIMEOUT', 'its server does not answer in time (UND_ERR_BODY_TIMEOUT); try again later'],
    ['UND_ERR_CONNECT_TIMEOUT', 'its server does not answer in time (UND_ERR_CONNECT_TIMEOUT); try again later'],
    ['UND_ERR_SOCKET', 'the connection broke off (UND_ERR_SOCKET); try again'],
    ['ECONNRESET', 'the connection broke off (ECONNRESET); try again'],
  ])('a connection that fails with %s says so in words, and what to do', async (code, words) => {
    const lost = Object.assign(new Error('words of a library'), { code });
    agent.get('https://films.example').intercept({ path: '/spring.csv' }).replyWithError(lost);
    await expect(fetched('https://films.example/spring.csv')).rejects.toThrow(
      `Cannot read https://films.example/spring.csv: ${words}`,
    );
  });

  test.each([
    ['its server is in trouble', 503, null, 'its server answers 503; try again later'],
    ['a sign-in page', 302, 'https://accounts.google.com/x', 'it is not shared; use an address that opens without'],
    ['a sign-in page', 302, 'https://login.films.example/x', 'it is not shared; use an address that opens without'],
    ['no one may read it', 401, null, 'it is not shared; use an address that opens without signing in'],
  ])('elsewhere is refused at %s (%i)', async (_, status, location, words) => {
    agent
      .get('https://films.example')
      .intercept({ path: '/spring.csv' })
      .reply(status, '', { headers: location === null ? {} : { location } });
    await expect(fetched('https://films.example/spring.csv')).rejects.toThrow(
      `Cannot read https://films.example/spring.csv: ${words}`,
    );
  });

  test('is refused past the size that is held', async () => {
    agent
      .get('https://films.example')
      .intercept({ path: '/spring.csv' })
      .reply(200, Buffer.alloc(65 * 1024 * 1024, 'x'));
    await expect(fetched('https://films.example/spring.csv')).rejects.toThrow('it is larger than 64 MiB');
  });
});
