import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isPublicAddress } from '../../api/public-address.js';
import { createRemoteFiles } from '../../pricing/remote-files.js';
import { type ScriptedService, scriptedService } from '../api/service.js';

const releases: (() => Promise<void>)[] = [];
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenlight-remote-'));
  releases.push(() => rm(folder, { recursive: true, force: true }));
});
afterEach(async () => {
  for (const release of releases.reverse().splice(0)) await release();
});

describe('remote references', () => {
  test('are fetched once, through a redirect, and kept by the digest of their bytes', async () => {
    const paths: string[] = [];
    const service = await serve((request, response) => {
      paths.push(request.url ?? '');
      if (request.url === '/logo') response.writeHead(302, { location: '/real.png' }).end();
      else response.end('picture');
    });
    const files = remoteFiles(true);
    const url = `http://127.0.0.1:${service.port}/logo`;
    const [first, second] = await Promise.all([files.fetch({ url, sha256: null }), files.fetch({ url, sha256: null })]);
    expect(first).toEqual(second);
    expect(await readFile(first.path, 'utf8')).toBe('picture');
    expect(first.path.endsWith(first.sha256)).toBe(true);
    expect(await remoteFiles(true).fetch({ url, sha256: first.sha256 })).toEqual(first);
    expect(paths).toEqual(['/logo', '/real.png']);
  });

  test('that have other bytes than before are refused', async () => {
    const service = await serve((_, response) => response.end('other'));
    const url = `http://127.0.0.1:${service.port}/logo.png?signature=secret`;
    const fetching = remoteFiles(true).fetch({ url, sha256: 'a'.repeat(64) });
    await expect(fetching).rejects.toThrow(/logo\.png changed since it was checked/);
    await expect(fetching).rejects.not.toThrow(/secret/);
  });

  test.each([
    [404, 'gone', 'the answer is 404'],
    [200, '', 'it is empty'],
    [200, 'x'.repeat(2_000), 'it is larger than '],
  ])('answered %i with %j are refused, and leave no file', async (status, body, words) => {
    const service = await serve((_, response) => response.writeHead(status).end(body));
    const url = `http://127.0.0.1:${service.port}/logo.png`;
    await expect(remoteFiles(true).fetch({ url, sha256: null })).rejects.toThrow(words);
    expect(await readdir(folder)).toEqual([]);
  });

  test('at a private address are refused before anything is sent, also by name and by redirect', async () => {
    let requests = 0;
    const service = await serve((_, response) => {
      requests += 1;
      response.end('secret');
    });
    for (const url of [
      `https://127.0.0.1:${service.port}/`,
      `https://[::1]:${service.port}/`,
      `https://localhost:${service.port}/`,
      'https://169.254.169.254/latest/meta-data',
    ]) {
      await expect(remoteFiles(false).fetch({ url, sha256: null }), url).rejects.toThrow(/private network/);
    }
    await expect(remoteFiles(false).fetch({ url: 'http://example.org/', sha256: null })).rejects.toThrow(
      /not an https/,
    );
    expect(requests).toBe(0);
  });

  test.each([
    ['93.184.215.14', true],
    ['10.1.2.3', false],
    ['172.31.0.1', false],
    ['172.32.0.1', true],
    ['::ffff:127.0.0.1', false],
    ['fd00::1', false],
    ['2606:2800:21f::1', true],
    ['example.org', false],
  ])('%s is public: %s', (address, open) => {
    expect(isPublicAddress(address)).toBe(open);
  });
});

function remoteFiles(allowPrivate: boolean) {
  const files = createRemoteFiles({ folder, allowPrivate, maxBytes: 1_000 });
  releases.push(() => files.close());
  return files;
}

async function serve(answer: Parameters<typeof scriptedService>[0]): Promise<ScriptedService> {
  const service = await scriptedService(answer);
  releases.push(() => service.close());
  return service;
}
