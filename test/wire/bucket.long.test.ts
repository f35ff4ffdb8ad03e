import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { StorageError } from '../../archive/errors.js';
import { createS3Store, type S3Store } from '../../archive/s3/s3-store.js';
import { type S3Server, startS3Server, useServer, whyNoServer } from '../archive/s3/s3-server.js';
import { createProxy, type Toxic, type WireProxy } from './proxy.js';
import { everyLoss } from './toxics.js';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const mebibyte = 1024 * 1024;
/** The least that S3 takes as a part that is not the last. */
const sizes = { onePutBytes: mebibyte, partBytes: 5 * mebibyte };
const film = Buffer.alloc(3_000, 'a film ');
const longFilm = Buffer.alloc(6 * mebibyte, 'a long film ');

const why = whyNoServer('versitygw');
if (why !== null) test.skip(`skipped: ${why}`);

let top: string;
let server: S3Server;
let leave: () => void;
let proxy: WireProxy;
let store: S3Store;
/** Who meets a stall gives up soon; everybody else waits, since a busy machine is no fault. */
let [patient, hasty]: S3Store[] = [];
/** What request `at`, counted from now, meets; null once it has. */
let next: { readonly at: number; readonly toxic: Toxic } | null = null;
let serial = 0;

interface Act {
  /** Past the proxy, before the wire is bad. */
  readonly before?: (name: string) => Promise<unknown>;
  readonly act: (name: string) => Promise<unknown>;
  /** What the first attempt that succeeds may answer. */
  readonly answers: readonly unknown[];
  /** What is in the bucket afterwards. */
  readonly there: Buffer | null;
}

async function publish(name: string, bytes: Buffer): Promise<unknown> {
  const localFile = join(top, name);
  await writeFile(localFile, bytes);
  const content = { sha256: createHash('sha256').update(bytes).digest('hex'), sizeBytes: bytes.length };
  return (await store.openFolder(name)).publish('final.mp4', localFile, content);
}

const put = (name: string) =>
  server.s3.putObject({ Bucket: server.bucket, Key: `acme/${name}/final.mp4`, Body: film, ContentLength: film.length });
const published = ['published', 'already there'];

const acts: Readonly<Record<string, Act>> = {
  'a file that is published': { act: (name) => publish(name, film), answers: published, there: film },
  'a file that is published in parts': { act: (name) => publish(name, longFilm), answers: published, there: longFilm },
  'a file that is read': {
    ...{ before: put, answers: [film], there: film },
    act: async (name) => buffer(await store.open(`${name}/final.mp4`)),
  },
  'a file that is looked for': {
    ...{ before: put, answers: [{ sizeBytes: film.length }], there: film },
    act: (name) => store.stat(`${name}/final.mp4`),
  },
  'a folder that is listed': {
    ...{ before: put, there: film, answers: [['final.mp4']] },
    act: async (name) => (await store.list(name)).map((path) => path.replace(`${name}/`, '')),
  },
  'a note that is written': {
    ...{ answers: ['{"n":1}'], there: null },
    act: async (name) => {
      await store.notes.write(`${name}.json`, '{"n":1}');
      return store.notes.read(`${name}.json`);
    },
  },
};

/** In the request line, its headers, its body; in the answer's status line, its headers, its body. */
const toxics: readonly Toxic[] = [
  ...everyLoss({ request: [6, 400, 2_500], cut: [1, 120, 2_000], end: [5, 2_000], stall: [0, 2_000] }),
  { kind: 'latency', delayMs: 50 },
];

describe.skipIf(why !== null)('a bucket', () => {
  beforeAll(async () => {
    top = await mkdtemp(join(tmpdir(), 'greenlight-wire-'));
    server = await startS3Server('versitygw');
    const target = Number(new URL(server.env.AWS_ENDPOINT_URL_S3 ?? '').port);
    let from = 0;
    proxy = await createProxy(target, ({ index }) => {
      if (next === null) from = index + 1;
      if (next === null || index < from + next.at) return { kind: 'pass' };
      const { toxic } = next;
      [next, from] = [null, index + 1];
      return toxic;
    });
    leave = useServer({ env: { ...server.env, AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${proxy.port}` } });
    const through = (silenceMs: number) =>
      createS3Store({ url: `s3://${server.bucket}/acme`, stagingFolder: join(top, 'staging'), sizes, silenceMs });
    [patient, hasty] = [through(60_000), through(500)];
  });
  afterAll(async () => {
    patient?.close();
    hasty?.close();
    leave();
    await proxy.close();
    await server.stop();
    await rm(top, { recursive: true, force: true });
  });

  /** @returns how many requests it took. */
  async function acted({ before, act, answers, there }: Act, toxic: Toxic, at: number): Promise<number> {
    serial += 1;
    const name = `movie-${serial}`;
    await before?.(name);
    store = (toxic.kind === 'stall' ? hasty : patient) as S3Store;
    const from = proxy.requests.length;
    next = { at, toxic };
    const first = await act(name).catch((error: unknown) => error);
    next = null;
    if (first instanceof Error) expect(first).toBeInstanceOf(StorageError);
    store = patient as S3Store;
    const last = first instanceof Error ? await act(name) : first;
    expect(answers).toContainEqual(last);
    if (there !== null) {
      const { Body } = await server.s3.getObject({ Bucket: server.bucket, Key: `acme/${name}/final.mp4` });
      expect(Buffer.from((await Body?.transformToByteArray()) ?? []).equals(there)).toBe(true);
    }
    const { Uploads = [] } = await server.s3.listMultipartUploads({ Bucket: server.bucket });
    expect(Uploads).toEqual([]);
    return proxy.requests.length - from;
  }

  describe.each(Object.entries(acts))('%s', (_name, act) => {
    test.each(toxics)(
      'on a wire with $kind at any of its requests: whole in the end, and nothing left over',
      async (toxic) => {
        const requests = await acted(act, { kind: 'pass' }, 0);
        for (let at = 0; at < requests; at += 1) await acted(act, toxic, at);
      },
    );
  });
});
