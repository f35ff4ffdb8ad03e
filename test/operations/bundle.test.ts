import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { unzipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Ledger, openLedger } from '../../ledger/ledger.js';
import { settleBatch } from '../../ledger/progress/settle.js';
import { type BundleRequest, openBundle } from '../../operations/bundle.js';
import { zipOf } from '../../reports/bundle/zip-of.js';
import { brief, fay, oli, type Scene, setTheScene, studio } from '../ledger/scene.js';
import { type DeliveredFilms, deliveredFilms } from '../reports/delivered-films.js';

let ledger: Ledger;
let scene: Scene;
let films: DeliveredFilms;
beforeEach(async () => {
  ledger = await openLedger({ url: 'sqlite::memory:' });
  scene = setTheScene(ledger);
  films = deliveredFilms(scene);
  await scene.fund('acme', 10_000);
});
afterEach(() => ledger.close());

function open(subject: string, over: Partial<BundleRequest> = {}) {
  const deps = { ledger, service: studio, clock: () => scene.nowMs };
  return openBundle(deps, { actor: oli, subject, files: films, columns: [], prices: false, ...over });
}

async function bundled(subject: string, over: Partial<BundleRequest> = {}): Promise<ReadonlyMap<string, Buffer>> {
  const found = new Map<string, Buffer>();
  for await (const { path, content } of (await open(subject, over)).entries()) found.set(path, await buffer(content));
  return found;
}

const textOf = (files: ReadonlyMap<string, Buffer>, name: string) => files.get(name)?.toString('utf8') ?? '';
const rowsOf = (files: ReadonlyMap<string, Buffer>): Record<string, string>[] =>
  parse(textOf(files, 'results.csv'), { columns: true, bom: true });

describe('the bundle of a batch', () => {
  test('has films, posters and captions by number and id, and checksums of every other file', async () => {
    const batchId = await scene.make(['hero', 'loop']);
    await films.deliver(batchId, 'hero');
    await films.deliver(batchId, 'loop');
    const files = await bundled(batchId);
    expect([...files.keys()]).toEqual([
      ...['gallery.html', 'results.csv', 'results.xlsx'],
      ...['films/1-hero.mp4', 'posters/1-hero.jpg', 'captions/1-hero.vtt'],
      ...['films/2-loop.mp4', 'posters/2-loop.jpg', 'captions/2-loop.vtt', 'SHA256SUMS'],
    ]);
    expect(textOf(files, 'films/2-loop.mp4')).toBe('film of spring-1 loop');
    const sums = [...files]
      .filter(([name]) => name !== 'SHA256SUMS')
      .map(([name, bytes]) => `${sumOf(bytes)}  ${name}\n`);
    expect(textOf(files, 'SHA256SUMS')).toBe(sums.join(''));
  });

  test('says nothing of prices, paths, services, columns of our own or how a movie was made', async () => {
    const batchId = await scene.make([brief('hero'), brief('lost')]);
    await films.deliver(batchId, 'hero');
    await scene.order(batchId, 'lost');
    await scene.look(batchId, 'lost', 'failed', { error: { code: 'moderation', message: 'refused' } });
    const files = await bundled(batchId);
    const told = ['gallery.html', 'results.csv'].map((name) => textOf(files, name)).join('\n');
    expect(told).not.toMatch(/USD|price|https?:|studio|spring-1|movie_|moderation|out\/|\.csv:/);
    const [hero, lost] = rowsOf(files);
    expect(hero).toMatchObject({ number: '1', id: 'hero', status: 'delivered', format: '16x9', duration_seconds: '5' });
    expect(lost).toMatchObject({ number: '', id: 'lost', status: 'not delivered', film: '' });
    expect(textOf(files, 'gallery.html').match(/<figure/g)).toHaveLength(1);
  });

  test('takes prices as numbers, and columns of the sheet, where they are asked for', async () => {
    await scene.fund('rich', 1_000_000);
    const batchId = await scene.make(['hero'], { amountMinor: 123_450, settings: { budgetPath: 'rich' } });
    await films.deliver(batchId, 'hero');
    const [row] = rowsOf(await bundled(batchId, { prices: true, columns: ['prompt'] }));
    expect(row).toMatchObject({ price: '1234.50', currency: 'USD' });
    await expect(open(batchId, { columns: ['market'] })).rejects.toThrow(
      'Cannot bundle the column "market": the sheet does not have it; it has id, prompt',
    );
  });

  test('has the results as a workbook too: numbers that add up, files as links beside it', async () => {
    const batchId = await scene.make(['hero', 'lost']);
    await films.deliver(batchId, 'hero');
    const parts = unzipSync((await bundled(batchId, { prices: true })).get('results.xlsx') ?? Buffer.alloc(0));
    const part = (name: string) => Buffer.from(parts[name] ?? []).toString();
    const sheet = part('xl/worksheets/sheet1.xml');
    expect(sheet).toMatch(/<c r="A2"[^>]*><v>1<\/v><\/c>/);
    expect(sheet).toMatch(/<c r="F2"[^>]*><v>5<\/v><\/c>/);
    expect(sheet).toMatch(/<c r="K2" s="\d+"><v>1<\/v><\/c>/); // 1.00 USD
    const [, id = ''] = /<hyperlink ref="G2" r:id="([^"]+)"\/>/.exec(sheet) ?? [];
    expect(part('xl/worksheets/_rels/sheet1.xml.rels')).toMatch(
      new RegExp(`Id="${id}" [^>]*Target="films/1-hero.mp4" TargetMode="External"`),
    );
    expect(sheet).not.toContain('ref="G3"');
  });

  test('gives the title and the note as text, and the captions within the page', async () => {
    const batchId = await scene.make(['hero']);
    await films.deliver(batchId, 'hero');
    const html = textOf(await bundled(batchId, { title: '<b>Frühling', note: 'Hallo\n\nשלום' }), 'gallery.html');
    expect(html).toContain('<h1 dir="auto">&lt;b&gt;Frühling</h1>');
    expect(html).toContain('<p class="note" dir="auto">Hallo</p>\n<p class="note" dir="auto">שלום</p>');
    const [, vtt = ''] = /src="data:text\/vtt;base64,([^"]*)" default>/.exec(html) ?? [];
    expect(Buffer.from(vtt, 'base64').toString()).toContain('Frühling');
    expect(html).toContain('src="./films/1-hero.mp4"');
  });

  test('names every file that the archive lacks before anything is written', async () => {
    const batchId = await scene.make(['a', 'b']);
    await films.deliver(batchId, 'a');
    await films.deliver(batchId, 'b');
    films.files.delete('spring-1/a/final.mp4');
    films.files.set('spring-1/b/poster.JPG', Buffer.from('cut'));
    await expect(bundled(batchId)).rejects.toThrow(
      'Cannot bundle: the archive lacks delivered files: spring-1/a/final.mp4 is missing, ' +
        'spring-1/b/poster.JPG has 3 bytes, delivered 11',
    );
  });

  test('does not hand over other bytes than were delivered', async () => {
    const batchId = await scene.make(['a']);
    await films.deliver(batchId, 'a', { content: 'a film' });
    films.files.set('spring-1/a/final.mp4', Buffer.from('A film'));
    await expect(bundled(batchId)).rejects.toThrow('Cannot bundle films/1-a.mp4: the archive has other bytes');
  });

  test('is refused where nothing is delivered, and for a name that is nothing', async () => {
    const batchId = await scene.make(['a']);
    await expect(open(batchId)).rejects.toThrow('Cannot bundle spring-1: none of its movies is delivered');
    await expect(open('nope')).rejects.toMatchObject({ code: 'unknown_batch' });
  });

  test('names what its sender should look at', async () => {
    const batchId = await scene.make(['a', 'b', 'c']);
    await films.deliver(batchId, 'a', { verdict: 'needs review: 4 s against 5 s asked' });
    await films.deliver(batchId, 'b');
    expect(await open(batchId)).toMatchObject({ films: 2, needReview: ['a'], notDelivered: ['c'], earlier: [] });
    expect(textOf(await bundled(batchId), 'gallery.html')).toContain('<span class="got">4 s against 5 s asked</span>');
  });
});

describe('the bundle of a campaign', () => {
  test('has the newest film of each row over all its batches, in the order in which they came', async () => {
    const first = await scene.make(['a', 'b', 'c']);
    for (const key of ['a', 'b']) await films.deliver(first, key);
    await scene.order(first, 'c');
    await scene.look(first, 'c', 'failed');
    await settleBatch(ledger, { batchId: first, nowMs: scene.nowMs });
    const changed = brief('b', { prompt: 'Another runner at dawn' });
    const second = await scene.make(['d', changed, 'a'], { settings: { respend: true } });
    await films.deliver(second, 'b');
    await films.deliver(second, 'd');
    await scene.seal(['e'], {}); // waits for a decision
    const files = await bundled('spring');
    expect(rowsOf(files).map(({ id, film, status }) => [id, film, status])).toEqual([
      ['a', 'films/1-a.mp4', 'delivered'],
      ['b', 'films/2-b.mp4', 'delivered'],
      ['c', '', 'not delivered'],
      ['d', 'films/3-d.mp4', 'delivered'],
    ]);
    expect(textOf(files, 'films/1-a.mp4')).toBe('film of spring-1 a');
    expect(textOf(files, 'films/2-b.mp4')).toBe('film of spring-2 b');
    expect(textOf(files, 'gallery.html')).toContain('<h1 dir="auto">spring</h1>');
  });

  test('has the price of each film where it was paid, in the currency of that budget', async () => {
    const first = await scene.make(['a', 'b'], { amountMinor: 250 });
    await films.deliver(first, 'a');
    await films.deliver(first, 'b');
    await settleBatch(ledger, { batchId: first, nowMs: scene.nowMs });
    scene.currency = 'EUR';
    await scene.fund('emea', 10_000);
    const settings = { budgetPath: 'emea', currency: 'EUR' };
    const second = await scene.make(['a', 'b', 'c', 'd'], { amountMinor: 100, settings });
    await films.deliver(second, 'c');
    const rows = rowsOf(await bundled('spring', { prices: true }));
    expect(rows.map(({ id, price, currency }) => [id, price, currency])).toEqual([
      ['a', '2.50', 'USD'],
      ['b', '2.50', 'USD'],
      ['c', '1.00', 'EUR'],
      ['d', '', 'EUR'],
    ]);
  });

  test('keeps an earlier film of a row whose newest form is not delivered, and says so', async () => {
    const first = await scene.make(['a']);
    await films.deliver(first, 'a');
    await settleBatch(ledger, { batchId: first, nowMs: scene.nowMs });
    const second = await scene.make([brief('a', { prompt: 'Another runner at dawn' })], {
      settings: { respend: true },
    });
    await scene.order(second, 'a');
    expect(await open('spring')).toMatchObject({ films: 1, earlier: ['a'] });
    expect(textOf(await bundled('spring'), 'films/1-a.mp4')).toBe('film of spring-1 a');
  });

  test('is for who may see the campaign', async () => {
    await scene.make(['a']);
    const stranger = { ...fay, name: 'eve', roles: ['submitter'] as const };
    await expect(open('spring', { actor: { ...stranger, roles: ['submitter'] } })).rejects.toThrow(
      'Cannot find spring',
    );
  });
});

test('a zip file has the same files below one folder, films as they are', async () => {
  const batchId = await scene.make(['a']);
  await films.deliver(batchId, 'a', { content: 'x'.repeat(10_000) });
  const opened = await open(batchId);
  const pieces: Buffer[] = [];
  for await (const piece of zipOf(opened.entries(), { folder: 'spring-1-bundle', mtime: new Date(scene.nowMs) })) {
    pieces.push(piece);
  }
  const zip = Buffer.concat(pieces);
  expect(zip.length).toBeGreaterThan(10_000); // the film is stored
  const found = unzipSync(zip);
  const folder = await bundled(batchId);
  expect(Object.keys(found)).toEqual([...folder.keys()].map((name) => `spring-1-bundle/${name}`));
  expect(Buffer.from(found['spring-1-bundle/films/1-a.mp4'] ?? []).toString()).toBe('x'.repeat(10_000));
});

test('a zip file that is not read to its end leaves no file open', async () => {
  const batchId = await scene.make(['a']);
  await films.deliver(batchId, 'a', { content: 'x'.repeat(1_000_000) });
  const opened = await open(batchId);
  let closed = false;
  async function* watched() {
    try {
      yield* opened.entries();
    } finally {
      closed = true;
    }
  }
  for await (const _ of zipOf(watched(), { folder: 'f', mtime: new Date(0) })) break;
  expect(closed).toBe(true);
});

function sumOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
