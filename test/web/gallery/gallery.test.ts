import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { recordDelivered } from '../../../ledger/progress/deliveries.js';
import { share } from '../../../operations/batch/share-links.js';
import { oli } from '../../ledger/scene.js';
import { type Browser, openDesk, type TestDesk } from '../desk/desk.js';

const film = 'the very film';
/** What the archive has of posters; each movie has one by the ledger. */
const pictures = new Map<string, string>();
let desk: TestDesk;
let batch: string;
const opened: string[] = [];
beforeEach(async () => {
  opened.length = 0;
  pictures.clear();
  desk = await openDesk({
    deps: {
      films: {
        async stat(path) {
          const text = path.endsWith('final.mp4') ? film : pictures.get(path);
          return text === undefined ? null : { sizeBytes: text.length };
        },
        async open(path, { start, end } = { start: 0, end: film.length - 1 }) {
          opened.push(path);
          return Readable.from([Buffer.from((pictures.get(path) ?? film).slice(start, end + 1))]);
        },
      },
    },
  });
  const { scene } = desk;
  await scene.fund('acme', 10_000);
  batch = await scene.make(['a', 'b/1', 'c']);
  for (const key of ['a', 'b/1']) await scene.deliver(batch, key);
  for (const [name, role] of [
    ['oli', 'operator'],
    ['sam', 'submitter'],
    ['ole', 'submitter'],
    ['fay', 'finance'],
  ] as const) {
    await desk.person(name, role);
  }
});
afterEach(async () => {
  expect(desk.faults).toEqual([]);
  await desk.close();
});

const gallery = () => `/batches/${batch}/gallery`;
const reviews = () => desk.deps.ledger.db.selectFrom('reviews').selectAll().execute();

async function guest(): Promise<{ readonly path: string; readonly browser: Browser }> {
  const { token } = await share(desk.deps, { batchId: batch, actor: oli, days: 7 });
  return { path: `/s/${token}`, browser: desk.stranger() };
}

describe('the gallery', () => {
  test('shows what was delivered, and fetches nothing of a film before it is played', async () => {
    const html = await (await desk.browser('oli')).text(gallery());
    expect(html.match(/<figure /g)).toHaveLength(2);
    expect(html).toContain('preload="none"');
    expect(html).not.toMatch(/autoplay|<track[^>]* default/); // a default track is fetched with the page
    expect(html).toContain('src="gallery/films/b%2F1/asset_b%2F1"');
    expect(opened).toEqual([]);
  });

  test('keeps what is said, and leads back to the card', async () => {
    const oliver = await desk.browser('oli');
    const said = { redo: '1 b/1', note: 'the logo is cut' };
    const answer = await oliver.send(`${gallery()}/reviews`, said);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${gallery()}#m2`]);
    expect(await reviews()).toMatchObject([
      { row_key: 'b/1', verdict: 'redo', note: 'the logo is cut', by_name: 'oli' },
    ]);
    const html = await oliver.text(`${gallery()}?show=redo`);
    expect(html.match(/<figure /g)).toHaveLength(1);
    expect(html).toContain('1 movie is marked redo');
  });

  test('is one of their own to a submitter, and looked at by finance', async () => {
    const said = { ok: '0 a' };
    expect((await (await desk.browser('ole')).get(gallery())).status).toBe(403);
    expect((await (await desk.browser('fay')).get(gallery())).status).toBe(200);
    expect((await (await desk.browser('fay')).send(`${gallery()}/reviews`, said)).status).toBe(403);
    expect((await (await desk.browser('sam')).send(`${gallery()}/reviews`, said)).status).toBe(303);
    expect((await (await desk.browser('sam')).send(`/batches/${batch}/redo`)).status).toBe(403);
  });

  test('plans what is marked redo again, by who has the role', async () => {
    const oliver = await desk.browser('oli');
    await oliver.send(`${gallery()}/reviews`, { redo: '0 a', note: 'shorter' });
    const answer = await oliver.send(`/batches/${batch}/redo`);
    expect(answer.headers.get('location')).toBe('/batches/spring-2');
    expect(await desk.scene.row('spring-2', 'a')).toMatchObject({ class: 'redo', ordered: true });
    expect(await desk.scene.batch('spring-2')).toMatchObject({ state: 'preparing', rowsToOrder: 1 });
    expect((await oliver.send(`/batches/${batch}/redo`)).status).toBe(303); // a plan more orders nothing more
  });

  test('shows texts of sheets and reviewers as text', async () => {
    const oliver = await desk.browser('oli');
    await oliver.send(`${gallery()}/reviews`, { redo: '0 a', note: '</textarea><script>x</script>' });
    const html = await oliver.text(gallery());
    expect(html).not.toContain('<script>x');
    expect(html.split('&lt;script&gt;x')).toHaveLength(3); // beside the card, and in the form
  });
});

describe('a film', () => {
  const path = () => `${gallery()}/films/a/asset_a`;

  test.each([
    ['bytes=4-7', 206, 'very', 'bytes 4-7/13'],
    ['bytes=-4', 206, 'film', 'bytes 9-12/13'],
    ['bytes=9-', 206, 'film', 'bytes 9-12/13'],
    ['bytes=9-99', 206, 'film', 'bytes 9-12/13'],
    ['bytes=0-1,3-4', 200, film, null],
    ['seconds=1-2', 200, film, null],
    ['bytes=99-', 416, '', 'bytes */13'],
    ['bytes=-0', 416, '', 'bytes */13'],
  ])('asked for %s', async (range, status, text, shown) => {
    const answer = await (await desk.browser('oli')).get(path(), { range });
    const { headers } = answer;
    expect([answer.status, await answer.text(), headers.get('content-range')]).toEqual([status, text, shown]);
    if (status !== 416) expect(headers.get('content-type')).toBe('video/mp4');
  });

  test('that the browser has is not sent again, and one of another campaign not at all', async () => {
    const etag = `"${'ab'.repeat(32)}"`;
    const known = await (await desk.browser('oli')).get(path(), { 'if-none-match': etag });
    expect([known.status, known.headers.get('cache-control')]).toEqual([304, 'private, no-cache']);
    expect((await (await desk.browser('ole')).get(path(), { 'if-none-match': etag })).status).toBe(403);
    expect((await (await desk.browser('oli')).get(`${gallery()}/films/a/other`)).status).toBe(404);
    expect(opened).toEqual([]);
  });
});

test('a poster is shown small, and as it is where the archive has no small one; for guests too', async () => {
  const { scene, deps } = desk;
  await scene.order(batch, 'c');
  await scene.look(batch, 'c', 'completed');
  const poster = { assetId: 'p', type: 'poster', path: `${batch}/c/poster.jpg`, sizeBytes: 9, sha256: 'cd'.repeat(32) };
  const delivered = {
    batchId: batch,
    rowKey: 'c',
    files: [poster],
    verdict: 'as ordered',
    nowMs: scene.nowMs,
  } as const;
  await recordDelivered(deps.ledger, delivered);
  const path = `${gallery()}/films/c/p/thumbnail`;
  const oliver = await desk.browser('oli');
  expect(await oliver.text(gallery())).toContain(`src="${path.replace(/^.*(?=gallery)/, '')}"`);
  expect((await oliver.get(path)).status).toBe(404);
  pictures.set(poster.path, 'as it was');
  const old = await oliver.get(path);
  expect([old.headers.get('content-type'), await old.text()]).toEqual(['image/jpeg', 'as it was']);
  pictures.set(`${batch}/c/thumbnail-cdcdcdcdcdcdcdcd.webp`, 'small');
  const etag = old.headers.get('etag') ?? '';
  const small = await oliver.get(path, { 'if-none-match': etag });
  expect([small.headers.get('content-type'), await small.text()]).toEqual(['image/webp', 'small']);
  const known = await oliver.get(path, { 'if-none-match': small.headers.get('etag') ?? '' });
  expect(known.status).toBe(304);
  const shared = await guest();
  expect(await shared.browser.text(`${shared.path}/films/c/p/thumbnail`)).toBe('small');
  expect((await (await desk.browser('ole')).get(path)).status).toBe(403);
});

describe('a shared link', () => {
  test('shows the movies without an account, a price or another page', async () => {
    const { path, browser } = await guest();
    const html = await browser.text(path);
    expect(html).toContain('Shared with you by oli');
    expect(html).not.toMatch(/USD|\$|approved|budget/i);
    expect(html.match(/href="(?!#|\/assets)[^"]*"/g)?.filter((href) => !href.includes(path))).toEqual(['href="/"']);
    expect((await browser.get(`/batches/${batch}`)).status).toBe(303);
    const answer = await browser.get(path);
    expect([answer.headers.get('cache-control'), answer.headers.get('x-robots-tag')]).toEqual(['no-store', 'noindex']);
  });

  test('takes a review, and remembers the name that was given', async () => {
    const { path, browser } = await guest();
    const said = { redo: '0 a', note: 'shorter', guest: 'Kim' };
    const answer = await browser.send(`${path}/reviews`, said);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${path}#m1`]);
    expect(answer.headers.get('set-cookie')).toContain(`Path=${path}`);
    expect(await reviews()).toMatchObject([{ by_name: 'Kim (link of oli)', verdict: 'redo' }]);
    const forged = await browser.send(`${path}/reviews`, said, {
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
    });
    expect(forged.status).toBe(403);
  });

  test('has its films, and those of no other batch', async () => {
    const { path, browser } = await guest();
    const other = await desk.scene.make(['z'], { campaign: 'winter' });
    await desk.scene.deliver(other, 'z');
    expect(await browser.text(`${path}/films/a/asset_a`)).toBe(film);
    expect((await browser.get(`${path}/films/z/asset_z`)).status).toBe(404);
  });

  test('that was revoked or is over opens nothing', async () => {
    const oliver = await desk.browser('oli');
    const made = await (await oliver.send(`/batches/${batch}/shares`, { days: '7' })).text();
    const path = /\/s\/gls_[\w-]+/.exec(made)?.[0] ?? '';
    expect((await desk.stranger().get(path)).status).toBe(200);
    const revoke = /\/batches\/[^"]+\/revoke/.exec(made)?.[0] ?? '';
    await oliver.send(revoke);
    for (const [at, status] of [
      [path, 404],
      [`${path}/films/a/asset_a`, 404],
    ] as const) {
      const answer = await desk.stranger().get(at);
      expect([answer.status, await answer.text()]).toEqual([status, expect.stringContaining('not open any more')]);
    }
    expect((await desk.stranger().send(`${path}/reviews`, { ok: '0 a' })).status).toBe(404);
    expect(await reviews()).toEqual([]);
  });
});
