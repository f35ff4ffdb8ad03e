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
  await scene.fund('acme', 100_000);
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
    const said = { redo: '1 b/1', note1: 'the logo is cut' };
    const answer = await oliver.send(`${gallery()}/reviews`, said);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${gallery()}#m2`]);
    expect(await reviews()).toMatchObject([
      { row_key: 'b/1', verdict: 'redo', note: 'the logo is cut', by_name: 'oli' },
    ]);
    const html = await oliver.text(`${gallery()}?show=redo`);
    expect(html.match(/<figure /g)).toHaveLength(1);
    expect(html).toContain('1 movie is marked redo');
  });

  test('keeps what is written of other movies and not sent, beside what is said already', async () => {
    const oliver = await desk.browser('oli');
    await oliver.send(`${gallery()}/reviews`, { redo: '1 b/1', note1: 'one\r\ntwo' });
    const again = { ok: '1 b/1', note1: 'one\r\ntwo' }; // as the page has it, a browser sends it with every verdict
    expect((await oliver.send(`${gallery()}/reviews`, again)).status).toBe(303);
    await oliver.send(`${gallery()}/reviews`, { redo: '1 b/1', note1: 'one\r\ntwo' });
    const others = { ok: '0 a', note1: 'one\r\ntwo' };
    expect((await oliver.send(`${gallery()}/reviews`, others)).status).toBe(303);
    for (const [said, words] of [
      [{ redo: '1 b/1', note1: 'three', note0: 'a <b>later</b>' }, 'another movie is not sent yet'],
      [{ redo: '1 b/1', note1: '', note0: 'a <b>later</b>' }, 'Say what should be different'],
    ] as const) {
      const answer = await oliver.send(`${gallery()}/reviews`, said);
      const html = await answer.text();
      expect([answer.status, html.includes(words)]).toEqual([200, true]);
      expect(html).toMatch(/<details open=""[\s\S]*?name="note0"[^>]*>a &lt;b&gt;later/);
      const [form = ''] = html.match(/action="[^"]*reviews"/) ?? [];
      expect(form).toBe('action="reviews"'); // of the address that it is answered at
    }
    const said = (await reviews()).map(({ row_key, verdict, note }) => [row_key, verdict, note]);
    expect(said.sort()).toEqual([
      ['a', 'ok', null],
      ['b/1', 'redo', 'three'],
    ]);
  });

  test('asks for the note that a redo lacks, at its card, and changes nothing', async () => {
    const oliver = await desk.browser('oli');
    const answer = await oliver.send(`${gallery()}/reviews`, { redo: '1 b/1', note1: ' ', show: 'differs' });
    const location = answer.headers.get('location') ?? '';
    expect([answer.status, location]).toEqual([303, `${gallery()}?show=differs&lacks=1#m2`]);
    expect(await reviews()).toEqual([]);
    const html = await oliver.text(`${gallery()}?lacks=1`);
    expect(html).toContain('role="alert"');
    expect(html.match(/<details open="">[\s\S]*?name="([^"]+)"/)?.[1]).toBe('note1');
    expect(html.match(/<textarea[^>]*aria-invalid="true"/g)).toHaveLength(1);
  });

  test('shows the movies of one market, with its counts, and stays there', async () => {
    const oliver = await desk.browser('oli');
    expect(await oliver.text(gallery())).not.toContain('All markets');
    const keys = Array.from({ length: 130 }, (_, index) => `m${index}`);
    const markets = keys.map((_, index) => (index % 2 === 0 ? 'de' : '<b>fr</b>'));
    const many = await desk.scene.make(keys, { campaign: 'markets', markets });
    await desk.deps.ledger.db
      .updateTable('rows')
      .set({ state: 'delivered', open: 0, verdict: 'as ordered' })
      .where('batch_id', '=', many)
      .execute();
    const path = `/batches/${many}/gallery`;
    const all = await oliver.text(path);
    expect(all).toMatch(/<option>&lt;b&gt;fr&lt;\/b&gt;<\/option><option>de<\/option>/);
    expect(all).toContain('130 movies to review');
    const german = await oliver.text(`${path}?market=de`);
    expect(german).toContain('markets, de, 65 movies to review');
    expect(german).toContain('<option selected="">de</option>');
    expect(german.match(/<figure id="m(\d+)"/g)?.every((one) => Number(/\d+/.exec(one)) % 2 === 1)).toBe(true);
    expect(german).toContain(`${path}?show=redo&amp;market=de`);
    const next = /href="([^"]*after=[^"]*)"/.exec(german)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const second = await oliver.text(next);
    expect(second.match(/<figure /g)).toHaveLength(5);
    expect(second).toMatch(/name="market" value="de"[\s\S]*name="after" value="118"/);
    const said = { redo: '120 m120', note120: 'x', market: 'de', after: '118' };
    const answer = await oliver.send(`${path}/reviews`, said);
    expect(answer.headers.get('location')).toBe(`${path}?market=de&after=118#m121`);
    const leaves = await oliver.send(`${path}/reviews`, { ok: '120 m120', market: 'de', show: 'redo' });
    expect(leaves.headers.get('location')).toBe(`${path}?market=de&after=119#m121`);
    expect(await oliver.text(`${path}?market=it`)).toContain('No movie of it is delivered so far.');
    expect(await oliver.text(`${path}?show=redo&market=de`)).toContain('No movie of de is marked redo.');
  });

  test('asks for a market by its name where there are more than a list has', async () => {
    const keys = Array.from({ length: 101 }, (_, index) => `m${index}`);
    const many = await desk.scene.make(keys, { campaign: 'markets', markets: keys });
    const html = await (await desk.browser('oli')).text(`/batches/${many}/gallery?market=m7`);
    expect(html).toContain('name="market" type="search" value="m7"');
    expect(html).not.toContain('<option>m');
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
    await oliver.send(`${gallery()}/reviews`, { redo: '0 a', note0: 'shorter' });
    const answer = await oliver.send(`/batches/${batch}/redo`);
    expect(answer.headers.get('location')).toBe('/batches/spring-2');
    expect(await desk.scene.row('spring-2', 'a')).toMatchObject({ class: 'redo', ordered: true });
    expect(await desk.scene.batch('spring-2')).toMatchObject({ state: 'preparing', rowsToOrder: 1 });
    expect((await oliver.send(`/batches/${batch}/redo`)).status).toBe(303); // a plan more orders nothing more
  });

  test('shows texts of sheets and reviewers as text', async () => {
    const oliver = await desk.browser('oli');
    await oliver.send(`${gallery()}/reviews`, { redo: '0 a', note0: '</textarea><script>x</script>' });
    const html = await oliver.text(gallery());
    expect(html).not.toContain('<script>x');
    expect(html.split('&lt;script&gt;x')).toHaveLength(3); // beside the card, and in the form
  });
});

describe('a film', () => {
  const path = () => `${gallery()}/films/a/asset_a`;

  test('is on the page of its row too, where it is delivered, and not fetched before it is played', async () => {
    const oliver = await desk.browser('oli');
    const html = await oliver.text(`/batches/${batch}/rows/b%2F1`);
    const video = /<video [^>]*>/.exec(html)?.[0] ?? '';
    expect(video).toContain(`src="${gallery()}/films/b%2F1/asset_b%2F1"`);
    expect(video).toContain('controls="" preload="none"');
    expect(html).not.toMatch(/autoplay|<track[^>]* default/);
    expect(opened).toEqual([]);
    expect(await oliver.text(`/batches/${batch}/rows/c`)).not.toContain('<video');
    expect((await (await desk.browser('ole')).get(`/batches/${batch}/rows/a`)).status).toBe(403);
  });

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
    const said = { redo: '0 a', note0: 'shorter', guest: 'Kim' };
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

  test('has one place for the name, which alone may be kept, and is sent with every verdict', async () => {
    const { path, browser } = await guest();
    const first = await browser.text(path);
    expect(first.match(/name="guest"/g)).toHaveLength(1);
    // Enter in it presses the first button of its form, which has to be the one that says nothing of a movie.
    expect(first.match(/<button [^>]*form="say"[^>]*>/)?.[0]).not.toContain('name=');
    const kept = await browser.send(`${path}/reviews`, { guest: 'Kim "K"', market: 'de' });
    expect([kept.status, kept.headers.get('location')]).toEqual([303, `${path}?market=de`]);
    expect(await reviews()).toEqual([]);
    const cookie = (kept.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const again = await (await browser.get(path, { cookie })).text();
    expect(again).toMatch(/name="guest" value="Kim &quot;K&quot;"/);
    await browser.send(`${path}/reviews`, { ok: '0 a', guest: 'Kim' });
    expect(await reviews()).toMatchObject([{ by_name: 'Kim (link of oli)', verdict: 'ok' }]);
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
    const late = await desk.stranger().send(`${path}/reviews`, { redo: '0 a', note0: 'all that I thought', note1: '' });
    expect(await late.text()).toMatch(/What you wrote<textarea[^>]*>all that I thought</);
    expect(await reviews()).toEqual([]);
  });
});
