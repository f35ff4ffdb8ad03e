import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type S3Gate, s3Gate } from './s3-gate.js';
import { type S3Server, s3Servers, startS3Server, useServer, whyNoServer } from './s3-server.js';
import { publishOnce } from './upload-once.js';

const mebibyte = 1024 * 1024;
const large = randomBytes(12 * mebibyte);

for (const name of s3Servers) {
  const why = whyNoServer(name);
  if (why === null) describe(`uploads to ${name}`, () => uploads(name));
  else test.skip(`skipped: ${why}`);
}

function uploads(name: (typeof s3Servers)[number]): void {
  let server: S3Server;
  let gate: S3Gate;
  let leave: () => void;
  let folder: string;
  let prefix: string;
  beforeAll(async () => {
    server = await startS3Server(name);
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    gate = await s3Gate(server.env.AWS_ENDPOINT_URL_S3 ?? '');
    leave = useServer({ env: { ...server.env, AWS_ENDPOINT_URL_S3: gate.url } });
    folder = await mkdtemp(join(tmpdir(), 'greenlight-uploads-'));
    prefix = randomUUID();
    await writeFile(join(folder, 'film'), large);
  });
  afterEach(async () => {
    leave();
    await gate.close();
    await rm(folder, { recursive: true, force: true });
  });

  const upload = (file = 'film', staging = 'staging') => ({
    ...{ url: `s3://movies/${prefix}`, localFile: join(folder, file), stagingFolder: join(folder, staging) },
  });
  const key = () => `${prefix}/b-1/r-1/final.mp4`;
  const stored = async () => {
    const { Body } = await server.s3.getObject({ Bucket: 'movies', Key: key() });
    return Buffer.from((await Body?.transformToByteArray()) ?? []);
  };
  const uploadsLeft = async () => {
    const { Uploads = [] } = await server.s3.listMultipartUploads({ Bucket: 'movies', Prefix: prefix });
    return Uploads.length;
  };
  const partsSent = () => gate.lines.flatMap((line) => /partNumber=(\d+)/.exec(line)?.[1] ?? []).sort();

  /** A process that dies when its third part arrives, which never gets there; the two before it have. */
  async function killed(): Promise<void> {
    const script = fileURLToPath(new URL('./upload-child.ts', import.meta.url));
    const child = spawn(process.execPath, ['--import', 'tsx', script, JSON.stringify(upload())], { stdio: 'inherit' });
    let answered = 0;
    const bothAnswered = new Promise<void>((resolve) => {
      gate.onAnswer = (line) => {
        if (line.includes('partNumber=')) answered += 1;
        if (answered === 2) resolve();
      };
    });
    gate.onRequest = async ({ line, cut }) => {
      if (!line.includes('partNumber=3')) return;
      await bothAnswered;
      child.kill('SIGKILL');
      cut();
    };
    const [, signal] = await once(child, 'exit');
    expect(signal).toBe('SIGKILL');
    gate.onRequest = () => undefined;
    gate.onAnswer = () => undefined;
    gate.lines.length = 0;
  }

  test('killed in the middle, nothing is seen early, and the same machine sends only what is missing', async () => {
    await killed();
    await expect(stored()).rejects.toMatchObject({ name: 'NoSuchKey' });
    expect(await uploadsLeft()).toBe(1);
    expect(await publishOnce(upload())).toBe('published');
    // moto does not tell what the parts it has are: they are sent again.
    expect(partsSent()).toEqual(name === 'moto' ? ['1', '2', '3'] : ['3']);
    expect((await stored()).equals(large)).toBe(true);
    expect(await uploadsLeft()).toBe(0);
    expect(await readdir(join(folder, 'staging'))).toEqual([]);
  });

  test('killed in the middle, another machine ends that upload and sends all', async () => {
    await killed();
    expect(await publishOnce(upload('film', 'elsewhere'))).toBe('published');
    expect(partsSent()).toEqual(['1', '2', '3']);
    expect((await stored()).equals(large)).toBe(true);
    expect(await uploadsLeft()).toBe(0);
    // The first machine comes back: it finds the work done.
    expect(await publishOnce(upload())).toBe('already there');
    expect(await readdir(join(folder, 'staging'))).toEqual([]);
  });

  test('killed in the middle, and other bytes by the second download: none of the first are used', async () => {
    await killed();
    const other = Buffer.from(large);
    other[11 * mebibyte] = (other[11 * mebibyte] ?? 0) ^ 1;
    await writeFile(join(folder, 'other'), other);
    expect(await publishOnce(upload('other'))).toBe('published');
    expect((await stored()).equals(other)).toBe(true);
    expect(await uploadsLeft()).toBe(0);
  });

  test('killed in the middle, and the name was given since: it is not overwritten, and nothing is left', async () => {
    await killed();
    await server.s3.putObject({ Bucket: 'movies', Key: key(), Body: 'another film' });
    expect(await publishOnce(upload())).toBe('taken');
    expect(partsSent()).toEqual([]);
    expect((await stored()).toString()).toBe('another film');
    expect(await uploadsLeft()).toBe(0);
  });

  test('a name that is given while the parts are on their way is not overwritten, and nothing is left', async () => {
    gate.onRequest = async ({ line }) => {
      if (line.includes('partNumber=3')) {
        await server.s3.putObject({ Bucket: 'movies', Key: key(), Body: 'another film' });
      }
    };
    expect(await publishOnce(upload())).toBe('taken');
    expect((await stored()).toString()).toBe('another film');
    expect(await uploadsLeft()).toBe(0);
  });

  test('the answer to the last step is lost: the movie is there, and known to be', async () => {
    let lost = 0;
    gate.onRequest = ({ line, loseAnswer }) => {
      if (/^POST .*[?&]uploadId=/.test(line) && lost++ === 0) loseAnswer();
    };
    expect(['published', 'already there']).toContain(await publishOnce(upload()));
    expect(lost).toBeGreaterThan(0);
    expect((await stored()).equals(large)).toBe(true);
    expect(await uploadsLeft()).toBe(0);
  });

  test('the answer to a put is lost: the movie is there, and known to be', async () => {
    await writeFile(join(folder, 'short'), 'a short film');
    let lost = 0;
    gate.onRequest = ({ line, loseAnswer }) => {
      if (line.startsWith('PUT ') && lost++ === 0) loseAnswer();
    };
    expect(await publishOnce(upload('short'))).toBe('already there');
    expect(lost).toBeGreaterThan(0);
    expect((await stored()).toString()).toBe('a short film');
  });

  test('an upload that somebody ended meanwhile is begun again by the next attempt', async () => {
    gate.onRequest = async ({ line }) => {
      const id = /partNumber=3.*uploadId=([^&]+)/.exec(line)?.[1] ?? /uploadId=([^&]+).*partNumber=3/.exec(line)?.[1];
      if (id === undefined) return;
      const UploadId = decodeURIComponent(id);
      await server.s3.abortMultipartUpload({ Bucket: 'movies', Key: key(), UploadId }).catch(() => undefined);
    };
    await expect(publishOnce(upload())).rejects.toMatchObject({ name: 'StorageError' });
    gate.onRequest = () => undefined;
    expect(await publishOnce(upload())).toBe('published');
    expect((await stored()).equals(large)).toBe(true);
    expect(await uploadsLeft()).toBe(0);
  });
}
