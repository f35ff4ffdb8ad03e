import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import busboy from 'busboy';
import { afterEach, expect, test } from 'vitest';
import { createMovieApi, type MovieApi } from '../../api/movie-api.js';
import { json, type Script, scriptedService } from './service.js';

const apiKey = 'sk-very-secret-0123';
const reference = { id: 'ref_1', role: 'product', mime_type: 'image/png', created_at: '2026-11-03T10:00:00Z' };
const releases: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const release of releases.splice(0).reverse()) await release();
});

async function apiThat(script: Script): Promise<MovieApi> {
  const service = await scriptedService(script);
  const api = createMovieApi({ baseUrl: service.baseUrl, apiKey });
  releases.push(service.close, () => api.close());
  return api;
}

interface Upload {
  readonly parts: (readonly [string, string])[];
  readonly file: { readonly name: string | undefined; readonly mimeType: string; readonly bytes: Buffer };
  readonly headers: IncomingHttpHeaders;
}

/** What a service reads from the upload, by a parser that is not ours. */
async function readUpload(request: IncomingMessage): Promise<Upload> {
  const parts: [string, string][] = [];
  const chunks: Buffer[] = [];
  let name: string | undefined = '';
  let mimeType = '';
  const parser = busboy({ headers: request.headers, defParamCharset: 'utf8' });
  parser.on('field', (field, value) => parts.push([field, value]));
  parser.on('file', (field, stream, info) => {
    parts.push([field, '(file)']);
    name = info.filename;
    mimeType = info.mimeType;
    stream.on('data', (chunk) => chunks.push(chunk));
  });
  request.pipe(parser);
  await once(parser, 'close');
  return { parts, file: { name, mimeType, bytes: Buffer.concat(chunks) }, headers: request.headers };
}

async function uploaded(file: Parameters<MovieApi['uploadReference']>[0]): Promise<Upload> {
  let upload: Upload | null = null;
  const api = await apiThat(async (request, response) => {
    upload = await readUpload(request);
    json(response, 201, reference);
  });
  expect(await api.uploadReference(file)).toEqual(reference);
  return upload ?? expect.unreachable('the service should have been asked');
}

function of(bytes: Buffer): Pick<Parameters<MovieApi['uploadReference']>[0], 'sizeBytes' | 'open'> {
  return { sizeBytes: bytes.length, open: () => Readable.from([bytes], { objectMode: false }) };
}

test('role and description come before the file, and every byte arrives', async () => {
  const bytes = Buffer.from('\r\n--greenlight-\r\n\0ÿ'.repeat(10_000));
  const file = {
    name: 'can "64" Dose_é.png',
    mimeType: 'image/png',
    role: 'product',
    description: 'the can;\r\nleft',
    ...of(bytes),
  };
  const upload = await uploaded(file);
  expect(upload.parts).toEqual([
    ['role', 'product'],
    ['description', 'the can;\r\nleft'],
    ['file', '(file)'],
  ]);
  expect(upload.file.bytes.equals(bytes)).toBe(true);
  expect(upload.file).toMatchObject({ name: 'can %2264%22 Dose_é.png', mimeType: 'image/png' });
  expect(upload.headers['content-length']).toMatch(/^\d+$/);
  expect(upload.headers['transfer-encoding']).toBeUndefined();
});

test('an empty file, a name with line ends and no media type make one file part', async () => {
  const upload = await uploaded({ name: 'a\r\nX-Evil: 1\r\n\r\nb', mimeType: null, ...of(Buffer.alloc(0)) });
  expect(upload.parts).toEqual([['file', '(file)']]);
  expect(upload.file).toMatchObject({ name: 'a%0D%0AX-Evil: 1%0D%0A%0D%0Ab', mimeType: 'application/octet-stream' });
});

test('a media type cannot add headers', async () => {
  const upload = await uploaded({ name: 'a', mimeType: 'image/png\r\nX-Evil: 1', ...of(Buffer.from('x')) });
  expect(upload.file.mimeType).toBe('application/octet-stream');
});

test('a large file passes through without being held', async () => {
  const sizeBytes = 256 * 1024 * 1024;
  const piece = Buffer.alloc(1024 * 1024, 7);
  let received = 0;
  const api = await apiThat(async (request, response) => {
    for await (const chunk of request) received += chunk.length;
    json(response, 201, reference);
  });
  function* pieces() {
    for (let sent = 0; sent < sizeBytes; sent += piece.length) yield piece;
  }
  let read = 0;
  let mostOnTheWay = 0;
  const open = () =>
    Readable.from(pieces(), { objectMode: false }).on('data', (chunk: Buffer) => {
      read += chunk.length;
      mostOnTheWay = Math.max(mostOnTheWay, read - received);
    });
  await api.uploadReference({ name: 'a.mp4', mimeType: 'video/mp4', sizeBytes, open });
  expect(received).toBeGreaterThan(sizeBytes);
  expect(mostOnTheWay).toBeLessThan(sizeBytes / 4);
});

test.each([
  {
    name: 'shrunk',
    real: 3,
    said: 10,
    message: 'Cannot upload "a.png": it has 3 bytes, expected 10; it changed while read',
  },
  {
    name: 'grown',
    real: 10,
    said: 3,
    message: 'Cannot upload "a.png": it has more bytes, expected 3; it changed while read',
  },
])('a file that has $name is the fault of the file', async ({ real, said, message }) => {
  const api = await apiThat((request) => request.resume());
  const open = () => Readable.from([Buffer.alloc(real)], { objectMode: false });
  const call = api.uploadReference({ name: 'a.png', mimeType: null, sizeBytes: said, open });
  await expect(call).rejects.toThrow(message);
});

test('a file that cannot be read is the fault of the file', async () => {
  const api = await apiThat((request) => request.resume());
  const open = () => createReadStream('/no/such/file.png');
  const call = api.uploadReference({ name: 'file.png', mimeType: null, sizeBytes: 10, open });
  await expect(call).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a refusal before the end of the upload is the answer, and the file is closed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'greenlight-upload-'));
  releases.push(() => rm(folder, { recursive: true }));
  const path = join(folder, 'big.bin');
  await writeFile(path, Buffer.alloc(32 * 1024 * 1024));
  const api = await apiThat((request, response) => {
    request.once('data', () => {
      const error = { code: 'payload_too_large', message: 'at most 1 MiB', request_id: 'req_1' };
      json(response, 413, { error });
    });
  });
  const file = createReadStream(path);
  const closed = new Promise<void>((resolve) => file.once('close', resolve));
  const call = api.uploadReference({ name: 'big.bin', mimeType: null, sizeBytes: 32 * 1024 * 1024, open: () => file });
  await expect(call).rejects.toMatchObject({ name: 'MovieApiError', status: 413, code: 'payload_too_large' });
  await closed;
});

test('without a connection the file is not opened', async () => {
  const api = createMovieApi({ baseUrl: 'http://nowhere.invalid/v1', apiKey });
  releases.push(() => api.close());
  const open = () => expect.unreachable('the file should stay closed');
  const call = api.uploadReference({ name: 'a', mimeType: null, sizeBytes: 1, open });
  await expect(call).rejects.toMatchObject({ name: 'ConnectionError', sent: 'nothing' });
});
