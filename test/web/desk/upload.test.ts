import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Browser, openDesk, type TestDesk } from './desk.js';

let folder: string;
let desk: TestDesk;
let ana: Browser;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenlight-uploads-'));
  desk = await openDesk({ deps: { uploadsFolder: folder } });
  await desk.scene.fund('spring', 1_000_000);
  await desk.person('ana', 'submitter');
  ana = await desk.browser('ana');
});
afterEach(async () => {
  expect(desk.faults).toEqual([]);
  await desk.close();
  await rm(folder, { recursive: true, force: true });
});

const head = 'id,prompt,duration,aspect ratio';
const sheet = (...rows: readonly string[]) => [head, ...rows].join('\n');
const broken = sheet('hero,A runner at dawn,5,16:09', 'card,A red shoe,1000 or so,21:09', 'loop,A loop,5,1:1');

interface Brought {
  readonly text: string;
  readonly name?: string;
  readonly token?: string;
  readonly again?: string;
}

async function bring(browser: Browser, { text, name = 'spring.csv', token, again = '' }: Brought): Promise<Response> {
  const form = new FormData();
  form.append('token', token ?? (await browser.token()));
  form.append('again', again);
  form.append('manifest', new File([text], name));
  form.append('reference', new File([], '')); // as a browser sends a field without a file
  return browser.upload('/uploads', form);
}

const place = (answer: Response) => answer.headers.get('location') ?? '';

describe('a sheet that is brought', () => {
  test('is shown with each finding in its cell, and cannot be submitted with errors', async () => {
    const at = place(await bring(ana, { text: broken }));
    const page = await ana.text(at);
    expect(page).toContain('1 of 3 rows are ready');
    expect(page).toMatch(/<td id="D3" class="err">21:09/);
    expect(page).toMatch(/<td id="C3" class="err">1000 or so/);
    expect(page).toMatch(/<td id="D2" class="rep"><del>16:09<\/del> 16:9/);
    expect(page).toMatch(/href="[^"]*#D3"/);
    expect(page.indexOf('id="r3"')).toBeLessThan(page.indexOf('id="r2"')); // errors first
    expect(page).toContain('disabled');
    const answer = await ana.send(`${at}/submit`);
    expect(answer.status).toBe(400);
    expect((await desk.deps.ledger.db.selectFrom('batches').selectAll().execute()).length).toBe(0);
  });

  test('that has nothing in it says so, and leads to another one; of one row it is said that it is', async () => {
    const empty = await ana.get(place(await bring(ana, { text: '' })));
    const html = await empty.text();
    expect(empty.status).toBe(400);
    expect(html).toContain('spring.csv is empty');
    expect(html).toMatch(/href="\/upload" class="b">Upload another sheet/);
    const one = await ana.text(place(await bring(ana, { text: sheet('card,A red shoe,1000 or so,21:09') })));
    expect(one).toContain('0 of 1 row is ready');
  });

  test('that is too large is told so, before it is read, and nothing of it is kept', async () => {
    const form = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': String(300 * 2 ** 20) };
    const answer = await ana.send('/uploads', {}, form);
    const html = await answer.text();
    expect(answer.status).toBe(413);
    expect(html).toMatch(/role="alert"[\s\S]*more than 256 MB/);
    expect(html).toContain('Upload a sheet');
    expect(await readdir(folder)).toEqual([]);
  });

  test('comes back repaired, and the repaired one has nothing to repair', async () => {
    const text = sheet('hero,A runner at dawn,5,16:09');
    const at = place(await bring(ana, { text }));
    const repaired = await ana.get(`${at}/repaired`);
    expect(repaired.headers.get('content-disposition')).toContain('spring-repaired.csv');
    const again = place(await bring(ana, { text: await repaired.text() }));
    expect(await ana.text(again)).toContain('Nothing to fix');
    expect(await ana.text(again)).not.toContain('class="rep"');
  });

  test('comes back with its findings in a column more, and can be brought so', async () => {
    const at = place(await bring(ana, { text: broken }));
    const bytes = Buffer.from(await (await ana.get(`${at}/findings`)).arrayBuffer());
    const text = bytes.toString('utf8');
    const [first = '', , third = ''] = text.split('\r\n');
    expect(first).toBe(`\ufeff${head},findings`);
    expect(third).toMatch(/^card,A red shoe,1000 or so,21:09,"?error C duration/);
    const again = await ana.text(place(await bring(ana, { text, name: 'spring-findings.csv' })));
    expect(again).toContain('1 of 3 rows are ready');
  });

  test('says what became of the findings of the one before', async () => {
    const at = place(await bring(ana, { text: broken }));
    const text = broken.replace('1000 or so', '10').replace('loop,A loop,5', 'loop,,5');
    const page = await ana.text(place(await bring(ana, { text, again: at.split('/').at(-1) ?? '' })));
    expect(page).toMatch(/Fixed<\/dt><dd class="good">[12]<.*Left<\/dt><dd>1<.*New<\/dt><dd>1</);
  });

  test('is submitted as a batch that waits to be priced', async () => {
    const at = place(await bring(ana, { text: sheet('hero,A runner at dawn,5,16:9') }));
    const answer = await ana.send(`${at}/submit`);
    expect(place(answer)).toBe('/batches/spring-1');
    expect(await desk.scene.batch('spring-1')).toMatchObject({ submittedBy: 'ana', manifestName: 'spring.csv' });
    const other = place(await bring(ana, { text: sheet('other,A runner at dawn,5,16:9') }));
    const inTheWay = await ana.send(`${other}/submit`);
    expect(inTheWay.status).toBe(409);
    expect(await inTheWay.text()).toContain('Plan it as a second batch, next to spring-1');
    expect(place(await ana.send(`${other}/submit`, { beside: 'yes' }))).toBe('/batches/spring-2');
  });

  test('that is no sheet says so', async () => {
    const at = place(await bring(ana, { text: '\0\0\0\0', name: 'film.mp4' }));
    expect(await ana.text(at)).toContain('No rows can be read from this file');
  });

  test('has its text as text', async () => {
    const evil = '<img src=x onerror=alert(1)>';
    const page = await ana.text(place(await bring(ana, { text: sheet(`hero,${evil},5,${evil}`), name: 'a&b<c>.csv' })));
    expect(page).not.toContain('<img');
  });
});

describe('what is kept', () => {
  const weekMs = 7 * 24 * 60 * 60 * 1_000;
  const age = async (ms: number) => {
    for (const name of await readdir(folder)) {
      const at = new Date(Date.now() - ms);
      await utimes(join(folder, name), at, at);
    }
  };

  test('is kept for a week, and removed by the next upload after it', async () => {
    const first = place(await bring(ana, { text: broken }));
    await age(weekMs - 60_000);
    await bring(ana, { text: broken });
    expect((await ana.get(first)).status).toBe(200);
    await age(weekMs + 60_000);
    const last = place(await bring(ana, { text: broken }));
    expect((await ana.get(first)).status).toBe(404);
    expect((await readdir(folder)).sort()).toEqual([last.slice(9), `${last.slice(9)}.json`].sort());
  });

  test('stays while a batch is being prepared, whose rows may name it', async () => {
    const at = place(await bring(ana, { text: sheet('hero,A runner at dawn,5,16:9') }));
    await ana.send(`${at}/submit`);
    await age(weekMs + 60_000);
    await bring(ana, { text: broken });
    expect(await readdir(folder)).toHaveLength(4);
  });

  test('is nothing of a sample, which can be brought as it is', async () => {
    const csv = await (await ana.get('/upload/sample/sample.csv')).text();
    expect(await ana.text(place(await bring(ana, { text: csv, name: 'sample.csv' })))).not.toContain('class="err"');
    const workbook = await ana.get('/upload/sample/sample.xlsx');
    expect(workbook.headers.get('content-disposition')).toContain('sample.xlsx');
    expect(
      Buffer.from(await workbook.arrayBuffer())
        .subarray(0, 2)
        .toString(),
    ).toBe('PK');
  });
});

describe('nothing is kept', () => {
  const kept = () => readdir(folder);

  test('of a form without this session’s token, whatever the order of its parts', async () => {
    expect((await bring(ana, { text: broken, token: 'x'.repeat(43) })).status).toBe(403);
    const form = new FormData();
    form.append('manifest', new File([broken], 'spring.csv'));
    form.append('token', await ana.token());
    expect((await ana.upload('/uploads', form)).status).toBe(403);
    expect(await kept()).toEqual([]);
  });

  test('of a name that leads elsewhere', async () => {
    expect((await bring(ana, { text: broken, name: '..' })).status).toBe(400);
    expect(await kept()).toEqual([]);
  });

  test('for who may not submit; and nobody sees the sheet of another', async () => {
    await desk.person('dana', 'finance');
    await desk.person('ben', 'submitter');
    const [dana, ben] = [await desk.browser('dana'), await desk.browser('ben')];
    expect((await bring(dana, { text: broken })).status).toBe(403);
    expect(await kept()).toEqual([]);
    const at = place(await bring(ana, { text: broken }));
    expect((await ben.get(at)).status).toBe(404);
    expect((await ben.get('/uploads/../../etc/passwd')).status).toBe(404);
    expect((await ben.send(`${at}/submit`)).status).toBe(404);
  });
});
