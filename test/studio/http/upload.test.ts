import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { receiveUpload, type UploadLimits } from '../../../studio/http/upload.js';
import { temporaryFolder } from '../open-studio.js';

const limits: UploadLimits = { maxBytes: 1000, idleMs: 60_000, totalMs: 60_000 };
const type = { 'content-type': 'multipart/form-data; boundary=b' };

function part(headers: string, content: string): string {
  return `--b\r\nContent-Disposition: form-data; ${headers}\r\n\r\n${content}\r\n`;
}

const filePart = part('name="file"; filename="a.png"', 'the bytes');

interface Sent {
  readonly body?: string | ReadableStream<Uint8Array>;
  readonly headers?: Record<string, string>;
  readonly limits?: Partial<UploadLimits>;
}

async function send({ body = `${filePart}--b--\r\n`, headers = type, limits: some = {} }: Sent = {}) {
  const folder = await temporaryFolder();
  const init = { method: 'POST', headers, body, duplex: 'half' } as const;
  const outcome = await receiveUpload(new Request('http://studio.test/', init), folder, { ...limits, ...some }).then(
    (upload) => ({ upload, problem: null }),
    (problem: unknown) => ({ upload: null, problem }),
  );
  return { ...outcome, files: await readdir(folder), folder };
}

/** Sends the pieces, and then nothing, without an end. */
function endless(...pieces: readonly string[]): ReadableStream<Uint8Array> {
  const waiting = pieces.map((piece) => Buffer.from(piece));
  return new ReadableStream({
    pull(controller) {
      const piece = waiting.shift();
      if (piece) controller.enqueue(piece);
      else return new Promise(() => undefined);
    },
  });
}

test('the file is stored byte for byte under a name that is not the sender’s, with the other fields beside it', async () => {
  const name = part('name="file"; filename="../../etc/passwd"', 'the bytes');
  const body = `${part('name="role"', 'product')}${name}${part('name="description"', 'größer 🎈')}--b--\r\n`;
  const { upload, files } = await send({ body });
  expect(upload).toMatchObject({
    sizeBytes: 9,
    sha256: createHash('sha256').update('the bytes').digest('hex'),
    fields: { role: 'product', description: 'größer 🎈' },
  });
  expect(files).toHaveLength(1);
  expect(files[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(await readFile(upload?.path ?? '', 'utf8')).toBe('the bytes');
});

test('a file of exactly the largest size passes, one byte more does not', async () => {
  const file = (size: number) => `${part('name="file"; filename="a"', 'x'.repeat(size))}--b--\r\n`;
  expect((await send({ body: file(1000) })).upload?.sizeBytes).toBe(1000);
  const { problem, files } = await send({ body: file(1001) });
  expect(problem).toMatchObject({ code: 'payload_too_large', headers: { Connection: 'close' } });
  expect(files).toEqual([]);
});

describe('is refused, and nothing stays of it:', () => {
  test.each<[string, Sent, string, string]>([
    ['a form without a file', { body: `${part('name="role"', 'other')}--b--\r\n` }, 'invalid_request', 'no file part'],
    ['a file as text', { body: `${part('name="file"', 'text')}--b--\r\n` }, 'invalid_request', 'no file part'],
    ['two files', { body: `${filePart}${filePart}--b--\r\n` }, 'invalid_request', 'more than one'],
    [
      'a file under another name',
      { body: `${part('name="upload"; filename="a"', 'x')}--b--\r\n` },
      'invalid_request',
      'called file',
    ],
    [
      'a field twice',
      { body: `${filePart}${part('name="role"', 'a')}${part('name="role"', 'b')}--b--\r\n` },
      'invalid_request',
      'twice',
    ],
    [
      'a field without end',
      { body: `${filePart}${part('name="description"', 'x'.repeat(20_000))}--b--\r\n` },
      'invalid_request',
      'too long',
    ],
    [
      'a hundred fields',
      { body: `${part('name="role"', 'a').repeat(100)}${filePart}--b--\r\n` },
      'invalid_request',
      '',
    ],
    ['a form that breaks off', { body: filePart }, 'invalid_request', 'before its last boundary'],
    ['no body', { body: '' }, 'invalid_request', 'before its last boundary'],
    ['JSON', { headers: { 'content-type': 'application/json' } }, 'unsupported_media_type', 'multipart/form-data'],
    [
      'a form without a boundary',
      { headers: { 'content-type': 'multipart/form-data' } },
      'invalid_request',
      'boundary',
    ],
    [
      'a size announced beyond the limit',
      { headers: { ...type, 'content-length': '999999' } },
      'payload_too_large',
      '',
    ],
    ['a sender that pauses', { body: endless(filePart), limits: { idleMs: 20 } }, 'request_timeout', '0.02 s'],
    ['a sender that never begins', { body: endless(), limits: { idleMs: 20 } }, 'request_timeout', '0.02 s'],
    ['a sender that takes too long', { body: endless(filePart), limits: { totalMs: 30 } }, 'request_timeout', '0.03 s'],
  ])('%s', async (_, sent, code, words) => {
    const { problem, files } = await send(sent);
    expect(problem).toMatchObject({ code, message: expect.stringContaining(words) });
    expect(files).toEqual([]);
  });
});

test('a file without end is cut off at the limit, however it comes', async () => {
  const chunk = Buffer.alloc(400, 'x');
  let sentBytes = 0;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) =>
      controller.enqueue(Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n')),
    pull(controller) {
      sentBytes += chunk.length;
      controller.enqueue(chunk);
    },
  });
  const { problem, files } = await send({ body });
  expect(problem).toMatchObject({ code: 'payload_too_large' });
  expect(files).toEqual([]);
  expect(sentBytes).toBeLessThan(1_000_000);
});
