import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { assetsOf, codeOf, handClock, type OpenedStudio, openStudio } from '../open-studio.js';

async function firstUrl({ create, call }: OpenedStudio): Promise<string> {
  const [asset] = await assetsOf(await call('GET', `/movies/${await create()}/assets`));
  if (!asset) throw new Error('Cannot test downloads: the movie has no asset');
  return asset.url;
}

const withoutKey = { key: '' };

test('a listed URL gives the file without a key, and its ETag is the hash of its bytes', async () => {
  const opened = await openStudio();
  const answer = await opened.call('GET', await firstUrl(opened), withoutKey);
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-length')).toBe(String(bytes.length));
  expect(answer.headers.get('etag')).toBe(`"${createHash('sha256').update(bytes).digest('hex')}"`);
});

test('a URL works for its time and then tells that it is over', async () => {
  const clock = handClock();
  const opened = await openStudio({ clock, assetUrlSeconds: 60 });
  const url = await firstUrl(opened);
  clock.forward(59);
  expect((await opened.call('GET', url, withoutKey)).status).toBe(200);
  clock.forward(1);
  expect(await codeOf(await opened.call('GET', url, withoutKey))).toBe('403 url_expired');
});

test.each([
  ['a later end', (url: URL) => url.searchParams.set('expires', '9999999999')],
  [
    'another asset',
    (url: URL) => {
      url.pathname = '/v1/files/asset_other';
    },
  ],
  ['no signature', (url: URL) => url.searchParams.delete('signature')],
  [
    'half a signature',
    (url: URL) => url.searchParams.set('signature', url.searchParams.get('signature')?.slice(0, 20) ?? ''),
  ],
  [
    'a path instead of an id',
    (url: URL) => {
      url.pathname = '/v1/files/..%2F..%2Fstudio.db';
    },
  ],
])('a URL changed to %s is refused', async (_, change) => {
  const opened = await openStudio();
  const url = new URL(await firstUrl(opened));
  change(url);
  expect(await codeOf(await opened.call('GET', url.href, withoutKey))).toBe('403 invalid_signature');
});

test('URLs are signed with a secret of this data folder', async () => {
  const url = new URL(await firstUrl(await openStudio()));
  const { call } = await openStudio();
  expect(await codeOf(await call('GET', url.href, withoutKey))).toBe('403 invalid_signature');
});
