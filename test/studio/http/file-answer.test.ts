import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileAnswer } from '../../../studio/http/file-answer.js';
import { Problem } from '../../../studio/problem.js';
import { temporaryFolder } from '../open-studio.js';

const text = '0123456789';
const sha256 = createHash('sha256').update(text).digest('hex');
const etag = `"${sha256}"`;

async function ask(headers: Record<string, string>, method = 'GET', content = text) {
  const path = join(await temporaryFolder(), 'file');
  await writeFile(path, content);
  const file = { path, sizeBytes: content.length, sha256, mimeType: 'video/mp4' };
  return fileAnswer(file, new Request('http://studio.test/', { method, headers }));
}

test('the whole file carries its type, size and hash', async () => {
  const answer = await ask({});
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'video/mp4',
    'content-length': '10',
    'accept-ranges': 'bytes',
    etag,
  });
  expect(await answer.text()).toBe(text);
});

test.each([65_535, 65_536, 65_537, 300_000])('%i bytes are given whole, and from a place within', async (sizeBytes) => {
  const content = Array.from({ length: sizeBytes }, (_, at) => String(at % 10)).join('');
  expect(await (await ask({}, 'GET', content)).text()).toBe(content);
  expect(await (await ask({ range: 'bytes=7-' }, 'GET', content)).text()).toBe(content.slice(7));
});

test('a file that became shorter is an error, and not sent as if it were whole', async () => {
  const path = join(await temporaryFolder(), 'file');
  await writeFile(path, text.slice(3));
  const file = { path, sizeBytes: text.length, sha256, mimeType: 'video/mp4' };
  expect(() => fileAnswer(file, new Request('http://studio.test/'))).toThrow('shorter');
});

test.each([
  ['bytes=0-0', '0', 'bytes 0-0/10'],
  ['bytes=3-5', '345', 'bytes 3-5/10'],
  ['bytes=7-', '789', 'bytes 7-9/10'],
  ['bytes=-2', '89', 'bytes 8-9/10'],
  ['bytes=-99', text, 'bytes 0-9/10'],
  ['bytes=8-99', '89', 'bytes 8-9/10'],
])('%s gives a part', async (range, expected, contentRange) => {
  const answer = await ask({ range });
  expect([answer.status, answer.headers.get('content-range')]).toEqual([206, contentRange]);
  expect(answer.headers.get('content-length')).toBe(String(expected.length));
  expect(await answer.text()).toBe(expected);
});

test.each(['bytes=5-3', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=', 'bytes=-', 'bytes=a-b'])(
  '%s is ignored and the whole file given',
  async (range) => {
    const answer = await ask({ range });
    expect([answer.status, await answer.text()]).toEqual([200, text]);
  },
);

test.each(['bytes=10-', 'bytes=10-20', 'bytes=-0'])('%s lies outside and is refused with the size', async (range) => {
  const refusal = await ask({ range }).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(Problem);
  expect(refusal).toMatchObject({ status: 416, headers: { 'Content-Range': 'bytes */10' } });
});

test('a part is given only while the file is the one that the client has', async () => {
  expect((await ask({ range: 'bytes=5-', 'if-range': etag })).status).toBe(206);
  expect((await ask({ range: 'bytes=5-', 'if-range': '"another"' })).status).toBe(200);
  expect((await ask({ range: 'bytes=5-', 'if-range': 'Wed, 21 Oct 2015 07:28:00 GMT' })).status).toBe(200);
});

test('a client that has the file is spared it', async () => {
  expect((await ask({ 'if-none-match': `"x", W/${etag}` })).status).toBe(304);
  expect((await ask({ 'if-none-match': '*' })).status).toBe(304);
  expect((await ask({ 'if-none-match': '"x"' })).status).toBe(200);
});

test('HEAD tells the size and sends nothing', async () => {
  const answer = await ask({}, 'HEAD');
  expect([answer.headers.get('content-length'), await answer.text()]).toEqual(['10', '']);
});
