import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createS3Store } from '../../../archive/s3/s3-store.js';
import { serveProxy } from '../../api/proxy-server.js';
import { s3Servers, startS3Server, useServer, whyNoServer } from './s3-server.js';

const name = s3Servers.find((one) => whyNoServer(one) === null);
if (name === undefined) test.skip('skipped: no S3 server is here; test/s3-servers.sh gets them');

describe.skipIf(name === undefined)('a bucket behind a proxy', () => {
  async function behindProxy(env: Readonly<Record<string, string>>) {
    const server = await startS3Server(name ?? 'moto');
    onTestFinished(() => server.stop());
    const proxy = await serveProxy(Number(new URL(server.env.AWS_ENDPOINT_URL_S3 ?? '').port));
    const proxies = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, NO_PROXY: '' };
    onTestFinished(useServer({ env: { ...server.env, ...proxies, ...env } }));
    const stagingFolder = await mkdtemp(join(tmpdir(), 'greenlight-s3-proxy-'));
    const store = createS3Store({ url: 's3://movies/acme', stagingFolder });
    onTestFinished(async () => {
      store.close();
      await rm(stagingFolder, { recursive: true, force: true });
    });
    return { store, asked: proxy.asked };
  }

  test('is asked by it: what is written by it is there', async () => {
    const { store, asked } = await behindProxy({ AWS_ENDPOINT_URL_S3: 'http://bucket.example.test' });
    const folder = await store.openFolder('spring-1');
    expect(await folder.writeText('note.txt', 'a note')).toBe('published');
    expect(await store.stat('spring-1/note.txt')).toEqual({ sizeBytes: 6 });
    expect(new Set(asked)).toEqual(new Set(['bucket.example.test:80']));
  });

  test("is AWS's own where no endpoint is set, and tunnelled to as HTTPS_PROXY says", async () => {
    const { store, asked } = await behindProxy({ AWS_ENDPOINT_URL_S3: '', AWS_MAX_ATTEMPTS: '1' });
    await expect(store.stat('spring-1/note.txt')).rejects.toThrow(
      'Cannot read "spring-1/note.txt" in s3://movies/acme',
    );
    expect(asked[0]).toMatch(/^movies\.s3\.us-east-1\.amazonaws\.com:443$/);
  });

  test('is asked directly where NO_PROXY names it', async () => {
    const { store, asked } = await behindProxy({
      ...{ AWS_ENDPOINT_URL_S3: 'http://bucket.example.invalid', NO_PROXY: '.example.invalid', AWS_MAX_ATTEMPTS: '1' },
    });
    await expect(store.stat('spring-1/note.txt')).rejects.toThrow('s3://movies/acme');
    expect(asked).toEqual([]);
  });
});
