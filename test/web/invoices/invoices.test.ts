import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Browser, openDesk, type TestDesk } from '../desk/desk.js';

let folder: string;
let desk: TestDesk;
let fay: Browser;
let batchId: string;
let movies: Readonly<Record<string, string>>;
let renewed: number;

beforeEach(async () => {
  renewed = 0;
  folder = await mkdtemp(join(tmpdir(), 'greenlight-invoices-'));
  const renewReports = async () => {
    renewed += 1;
  };
  desk = await openDesk({ deps: { uploadsFolder: folder, renewReports } });
  await desk.scene.fund('acme', 1_000_000);
  batchId = await desk.scene.make(['a', 'b', 'c']);
  for (const key of ['a', 'b', 'c']) await desk.scene.deliver(batchId, key);
  const rows = await desk.deps.ledger.db.selectFrom('rows').select(['row_key', 'movie_id']).execute();
  movies = Object.fromEntries(rows.map(({ row_key, movie_id }) => [row_key, movie_id ?? '']));
  await desk.person('fay', 'finance');
  fay = await desk.browser('fay');
});
afterEach(async () => {
  expect(desk.faults).toEqual([]);
  await desk.close();
  await rm(folder, { recursive: true, force: true });
});

const line = (movie: string | undefined, amount: string) => `${movie},${amount},USD,a movie`;
const invoice = (...lines: readonly string[]) => ['movie_id,amount,currency,description', ...lines].join('\n');

async function bring(browser: Browser, text: string, over: Readonly<Record<string, string>> = {}): Promise<Response> {
  const form = new FormData();
  form.append('token', over.token ?? (await browser.token()));
  form.append('number', over.number ?? '');
  form.append('from', '');
  form.append('until', '');
  form.append('manifest', new File([text], over.name ?? 'november.csv'));
  return browser.upload('/invoices', form);
}

const place = (answer: Response) => answer.headers.get('location') ?? '';
const shownOf = (html: string) => /name="shown" value="([^"]+)"/.exec(html)?.[1] ?? '';
const entries = () => desk.deps.ledger.db.selectFrom('entries').selectAll().where('kind', '=', 'correction').execute();

test('an invoice is shown with what matches, differs and is missing, before anything is booked', async () => {
  const at = place(
    await bring(fay, invoice(line(movies.a, '1.00'), line(movies.b, '1.25'), line('movie_strange', '9.00'))),
  );
  const page = await fay.text(at);
  expect(page).toContain('1 movie is charged otherwise');
  const cells = (name: string) =>
    new RegExp(`<th scope="row">${name}</th>((?:<td[^>]*>[^<]*</td>){5})`)
      .exec(page)?.[1]
      ?.replaceAll(/<[^>]+>/g, ' ')
      .trim()
      .split(/\s+/);
  expect(cells('Matched')).toEqual(['1', '1.00', '1.00', '0.00', '0.00']);
  expect(cells('Different')).toEqual(['1', '1.00', '1.25', '0.25', '0.25']);
  expect(cells('Not in the ledger')).toEqual(['1', '0.00', '9.00', '9.00', '0.00']);
  expect(cells('Not on the invoice')).toEqual(['1', '1.00', '0.00', '-1.00', '0.00']);
  expect(page).toContain('movie_strange');
  expect(page).toContain('Book 1 correction');
  expect(await entries()).toEqual([]);
});

test('what was looked at is booked once, and the same invoice again changes nothing', async () => {
  const text = invoice(line(movies.a, '1.00'), line(movies.b, '1.25'), line(movies.c, '0.50'));
  const at = place(await bring(fay, text, { number: 'INV-7' }));
  const shown = shownOf(await fay.text(at));
  expect(place(await fay.send(`${at}/book`, { shown }))).toBe(`${at}?booked=2`);
  expect((await entries()).map(({ row_key, amount_minor }) => [row_key, amount_minor]).sort()).toEqual([
    ['b', 25],
    ['c', -50],
  ]);
  expect(renewed).toBe(1);
  const after = await fay.text(at);
  expect(after).toContain('INV-7 was read');
  expect(after).toContain('Nothing to book');
  expect((await fay.send(`${at}/book`, { shown })).status).toBe(409);
  const again = place(await bring(fay, text, { number: 'INV-7', name: 'the-same.csv' }));
  expect(await fay.text(again)).toContain('Nothing to book');
  await fay.send(`${again}/book`, { shown: shownOf(after) });
  expect(await entries()).toHaveLength(2);
  expect(await fay.text('/invoices')).toMatch(/INV-7<\/th><td class="n">3</);
});

test('differences that are other ones by now are shown anew, and nothing is booked', async () => {
  const at = place(await bring(fay, invoice(line(movies.a, '1.25'))));
  const shown = shownOf(await fay.text(at));
  const other = place(await bring(fay, invoice(line(movies.a, '0.10')), { name: 'other.csv' }));
  await fay.send(`${other}/book`, { shown: shownOf(await fay.text(other)) });
  const before = await entries();
  const answer = await fay.send(`${at}/book`, { shown });
  expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining('Nothing was booked')]);
  expect(await entries()).toEqual(before);
});

test('a file that is no invoice says where it is wrong, and nothing is booked', async () => {
  const at = place(await bring(fay, invoice(line(movies.a, 'a lot'))));
  const answer = await fay.get(at);
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain('amount');
  expect((await fay.send(`${at}/book`, { shown: '' })).status).toBe(400);
  expect(await entries()).toEqual([]);
});

test('is finance’s alone, of a form of this session, and its words are text', async () => {
  await desk.person('oli', 'operator');
  const oli = await desk.browser('oli');
  expect((await bring(oli, invoice(line(movies.a, '1.00')))).status).toBe(403);
  expect((await bring(fay, invoice(line(movies.a, '1.00')), { token: 'x'.repeat(43) })).status).toBe(403);
  expect(await readdir(folder)).toEqual([]);
  const evil = '<img src=x onerror=alert(1)>';
  const at = place(await bring(fay, invoice(`movie_x,1.00,USD,${evil}`), { name: 'a&b<c>.csv', number: evil }));
  expect(await fay.text(at)).not.toContain('<img');
  expect((await oli.get(at)).status).toBe(403);
  expect((await oli.send(`${at}/book`, { shown: '' })).status).toBe(403);
});
