import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createS3Store, type S3Store } from '../../../archive/s3/s3-store.js';
import { type S3Server, startS3Server, useServer, whyNoServer } from './s3-server.js';

const why = whyNoServer('versitygw');
if (why !== null) test.skip(`skipped: ${why}`);

describe.skipIf(why !== null)('a bucket that cannot be used', () => {
  let server: S3Server;
  let store: S3Store | undefined;
  let leave = () => {};
  beforeAll(async () => {
    server = await startS3Server('versitygw');
  });
  afterAll(() => server.stop());
  afterEach(() => {
    store?.close();
    leave();
  });

  function open(url: string, env: Readonly<Record<string, string>> = {}): S3Store {
    leave = useServer({ env: { ...server.env, ...env } });
    store = createS3Store({ url, stagingFolder: join(tmpdir(), 'staging') });
    return store;
  }

  test.each([
    {
      name: 'no bucket',
      url: 's3://no-such-bucket/x',
      env: {},
      message: 'Cannot write in s3://no-such-bucket/x: there is no such bucket; make it',
    },
    {
      name: 'a wrong secret',
      url: 's3://movies/x',
      env: { AWS_SECRET_ACCESS_KEY: 'another' },
      message: 'Cannot write in s3://movies/x: ',
    },
    {
      name: 'nobody there',
      url: 's3://movies/x',
      env: { AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:9' },
      message: 'nothing answers at its address; check AWS_ENDPOINT_URL_S3 (ECONNREFUSED)',
    },
    {
      name: 'no credentials',
      url: 's3://movies/x',
      env: { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '', AWS_EC2_METADATA_DISABLED: 'true' },
      message: 'no credentials were found; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE',
    },
  ])('says what is to be set right: $name', async ({ url, env, message }) => {
    await expect(open(url, env).check()).rejects.toMatchObject({
      name: 'StorageError',
      message: expect.stringContaining(message),
    });
  });

  test('bytes that are not what was hashed are refused by the bucket, and no object is there', async () => {
    const opened = open('s3://movies/sums');
    const folder = await opened.openFolder('b-1/r-1');
    const file = join(folder.work.path, 'film');
    await writeFile(file, 'film');
    const wrong = { sha256: 'a'.repeat(64), sizeBytes: 4 };
    await expect(folder.publish('final.mp4', file, wrong)).rejects.toMatchObject({ name: 'StorageError' });
    expect(await opened.stat('b-1/r-1/final.mp4')).toBeNull();
    await folder.dropWork();
    await rm(join(tmpdir(), 'staging'), { recursive: true });
  });
});
