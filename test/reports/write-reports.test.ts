import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Ledger, openLedger } from '../../ledger/ledger.js';
import { listEntries } from '../../ledger/money/entries.js';
import { reconcileInvoice } from '../../ledger/money/invoices.js';
import { resolveUnknown } from '../../ledger/orders/resolve-unknown.js';
import { createBatch } from '../../ledger/plan/create-batch.js';
import { batchesToReport } from '../../ledger/progress/due-reports.js';
import { settleBatch } from '../../ledger/progress/settle.js';
import { checkManifest, fileSource, readBriefs } from '../../manifests/read-manifest.js';
import { renewReports } from '../../reports/renew-reports.js';
import { createReportFolder } from '../../reports/report-folder.js';
import { writeReports } from '../../reports/write-reports.js';
import { brief, fay, plainSettings, type Scene, sam, setTheScene, studio } from '../ledger/scene.js';
import { deliveredFilms } from './delivered-films.js';

let folder: string;
let ledger: Ledger;
let scene: Scene;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenlight-reports-'));
  ledger = await openLedger({ url: 'sqlite::memory:' });
  scene = setTheScene(ledger);
  await scene.fund('acme', 10_000);
});
afterEach(async () => {
  await ledger.close();
  await rm(folder, { recursive: true, force: true });
});

describe('results.csv', () => {
  test('gives the sheet back, column by column, with what became of each row', async () => {
    const batchId = await scene.make(['a', 'b']);
    const movieId = await scene.deliver(batchId, 'a');
    await fail(batchId, 'b', 'refused by moderation');
    const [head, first, second] = (await written(batchId, 'results.csv')).split('\r\n');
    expect(head).toBe(
      'id,prompt,state,movie_id,final_video,poster,captions,storyboard,other_files,sha256,estimated,posted,currency,verdict,reason',
    );
    // Amounts are numbers, and a file is named from where the sheet lies.
    expect(first).toBe(
      `a,"A runner at dawn, take a",delivered,${movieId},a/final.mp4,,,,,${'ab'.repeat(32)},1.00,1.00,USD,as ordered,`,
    );
    expect(second).toMatch(
      /^b,"A runner at dawn, take b",failed,movie_\w+,,,,,,,1\.00,1\.00,USD,,.*refused by moderation/,
    );
  });

  test('read again is the same manifest: every digest, whatever its cells begin with', async () => {
    const sheet = [
      'id,prompt,duration,note,=own',
      'a,"=A runner at dawn, ""quoted""",5,@home,+1',
      "b,'=Steam over a cup\tof coffee,6,-,x",
      '007,"Zwei Läufer im Regen,\nnah am Schuh",7,, padded ',
      '',
    ].join('\n');
    await writeFile(join(folder, 'spring.csv'), sheet);
    const before = await read('spring.csv');
    const { batchId } = await createBatch(ledger, {
      ...{ service: studio, campaign: 'spring', actor: sam, nowMs: scene.nowMs, settings: plainSettings },
      manifest: { name: 'spring.csv', columns: before.columns },
      rows: () =>
        onePage(
          before.rows.map(({ brief: one, digest, cells, row }) => ({
            brief: one,
            contentDigest: digest ?? '',
            cells,
            row,
          })),
        ),
    });
    await writeReports({ ledger, target: createReportFolder(folder), batchId, nowMs: scene.nowMs });
    const text = await readFile(join(folder, 'results.csv'), 'utf8');
    expect(text.startsWith('\ufeff')).toBe(true);
    expect(text).not.toMatch(/(^|,|")[=+@]/m);
    const after = await read('results.csv');
    expect(after.columns).toEqual(before.columns);
    expect(after.rows.map(({ digest }) => digest)).toEqual(before.rows.map(({ digest }) => digest));
    expect(after.rows.map(({ cells }) => cells)).toEqual(before.rows.map(({ cells }) => cells));
  });

  test('an unchanged row has the files of the batch that delivered it', async () => {
    const first = await scene.make(['a']);
    const movieId = await scene.deliver(first, 'a');
    await settleBatch(ledger, { batchId: first, nowMs: scene.nowMs });
    const second = await scene.seal(['a', 'b']);
    const [, row] = (await written(second, 'results.csv')).split('\r\n');
    expect(row).toContain(`unchanged,${movieId},../spring-1/a/final.mp4`);
    expect(row).toContain('"delivered before, in spring-1"');
  });

  test('a row that is left out says which flag orders it', async () => {
    const first = await scene.make(['a', 'b']);
    await scene.deliver(first, 'a');
    await fail(first, 'b', 'refused');
    await settleBatch(ledger, { batchId: first, nowMs: scene.nowMs });
    const second = await scene.seal([brief('a', { prompt: 'Another runner at dawn' }), 'b']);
    const rows = (await written(second, 'results.csv')).split('\r\n');
    expect(rows[1]).toContain('--respend orders it again');
    expect(rows[2]).toContain('--include failed orders it again');
  });

  test('a new row takes the place of an old file, and no part of either is left', async () => {
    const batchId = await scene.make(['a']);
    await written(batchId, 'results.csv');
    await scene.deliver(batchId, 'a');
    expect(await written(batchId, 'results.csv')).toContain(',delivered,');
    expect((await readdir(folder)).sort()).toEqual([
      'certificate.json',
      'gallery.html',
      'results.csv',
      'results.jsonl',
    ]);
  });
});

describe('certificate.json', () => {
  test('adds up with the entries of the ledger, and rows in are rows out', async () => {
    const batchId = await scene.make(['a', 'b', 'c', 'd']);
    await scene.deliver(batchId, 'a');
    await fail(batchId, 'b', 'refused');
    await scene.admit(batchId, 'c');
    await scene.answer(batchId, 'c', {
      kind: 'refused',
      status: 422,
      code: 'invalid_request',
      message: 'no',
      retryAfterMs: null,
    });
    await scene.deliver(batchId, 'd');
    await settleBatch(ledger, { batchId, nowMs: scene.nowMs });
    const document = JSON.parse(await written(batchId, 'certificate.json'));
    const entries = await listEntries(ledger, { batchId, limit: 100 });
    const sum = (kind: string) =>
      entries.filter((entry) => entry.kind === kind).reduce((total, { amountMinor }) => total + amountMinor, 0);
    expect(document.money).toMatchObject({
      approved_minor: sum('commit'),
      posted_minor: sum('post'),
      returned_minor: sum('uncommit'),
      held_minor: sum('hold') - sum('post') - sum('release'),
    });
    expect(document.money).toMatchObject({
      approved_minor: 400,
      posted_minor: 300,
      returned_minor: 100,
      held_minor: 0,
    });
    expect(document.rows).toEqual({ in: 4, out: 4, by_state: { delivered: 2, failed: 1, rejected: 1 } });
    expect(document).toMatchObject({ state: 'closed', provisional: false, rehearsal: true, decision: { by: 'fay' } });
  });

  test('has the files of every movie with their hashes, and the ends of both chains', async () => {
    const batchId = await scene.make(['a', 'b', 'c']);
    const movies = [await scene.deliver(batchId, 'a'), await scene.deliver(batchId, 'c')];
    await fail(batchId, 'b', 'refused');
    await settleBatch(ledger, { batchId, nowMs: scene.nowMs });
    const document = JSON.parse(await written(batchId, 'certificate.json'));
    const file = { type: 'final_video', size_bytes: 1_000, sha256: 'ab'.repeat(32) };
    expect(document.movies).toEqual(
      ['a', 'c'].map((id, index) => ({
        ...{ id, movie_id: movies[index], state: 'delivered', files: [{ path: `spring-1/${id}/final.mp4`, ...file }] },
      })),
    );
    expect(document.entries).toEqual({ count: 7, head: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(document.audit).toEqual({ length: 5, head: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  test('is provisional while an order is unknown, and names what is held for it', async () => {
    const batchId = await scene.make(['a']);
    await scene.admit(batchId, 'a');
    await scene.answer(batchId, 'a', { kind: 'broken' });
    await settleBatch(ledger, { batchId, nowMs: scene.nowMs });
    const document = JSON.parse(await written(batchId, 'certificate.json'));
    expect(document).toMatchObject({
      state: 'unsettled',
      provisional: true,
      money: { held_minor: 100, unknown_minor: 100 },
    });
  });
});

describe('reports in the archive', () => {
  const archive = () => ({
    ledger,
    clock: () => scene.nowMs,
    reportFolder: (id: string) => createReportFolder(join(folder, id)),
  });
  const certificateOf = async (batchId: string) =>
    JSON.parse(await readFile(join(folder, batchId, 'certificate.json'), 'utf8'));

  test.each(['made no movie', 'made a movie that ended late'])(
    'become final when the last unknown row is resolved: it %s',
    async (what) => {
      const batchId = await scene.make(['a', 'b']);
      await scene.deliver(batchId, 'a');
      await scene.admit(batchId, 'b');
      await scene.answer(batchId, 'b', { kind: 'broken' });
      await settleBatch(ledger, { batchId, nowMs: scene.nowMs });
      await renewReports(archive(), studio);
      expect(await certificateOf(batchId)).toMatchObject({ provisional: true, state: 'unsettled' });
      const resolution =
        what === 'made no movie'
          ? ({ kind: 'not_created', evidence: 'asked' } as const)
          : ({ kind: 'created', movieId: 'movie_late' } as const);
      await resolveUnknown(ledger, { batchId, rowKey: 'b', resolution, movie: {}, actor: fay, nowMs: scene.nowMs });
      if (resolution.kind === 'created') {
        await scene.look(batchId, 'b', 'failed');
        await settleBatch(ledger, { batchId, nowMs: scene.nowMs });
      }
      await renewReports(archive(), studio);
      expect(await certificateOf(batchId)).toMatchObject({
        ...{ provisional: false, state: 'closed', money: { held_minor: 0, unknown_minor: 0 } },
        rows: { by_state: { delivered: 1, [resolution.kind === 'created' ? 'failed' : 'canceled']: 1 } },
      });
      expect(await readFile(join(folder, batchId, 'results.csv'), 'utf8')).not.toContain(',unknown,');
    },
  );

  test('show an overrun once its invoice is read, and are not written again without a change', async () => {
    const batchId = await scene.make(['a']);
    const movie = await scene.deliver(batchId, 'a');
    await settleBatch(ledger, { batchId, nowMs: scene.nowMs });
    await renewReports(archive(), studio);
    const line = { movieId: movie, idempotencyKey: null, amountMinor: 130, currency: 'USD', description: null };
    const lines = [{ ...line, invoice: null, row: 2 }];
    await reconcileInvoice(ledger, { service: studio, name: 'nov.csv', lines, actor: fay, nowMs: scene.nowMs });
    await renewReports(archive(), studio);
    const invoiced = { movies: 1, invoiced: 1, complete: true };
    expect(await certificateOf(batchId)).toMatchObject({ money: { posted_minor: 100, overrun_minor: 30 }, invoiced });
    scene.nowMs += 60_000;
    const { written_at: before } = await certificateOf(batchId);
    await renewReports(archive(), studio);
    expect(await certificateOf(batchId)).toMatchObject({ written_at: before });
  });

  test('of a batch that orders nothing leave no folder, and are not due again', async () => {
    const first = await scene.make(['a']);
    await scene.deliver(first, 'a');
    await settleBatch(ledger, { batchId: first, nowMs: scene.nowMs });
    await scene.seal(['a']);
    await renewReports(archive(), studio);
    expect(await readdir(folder)).toEqual([first]);
    expect(await batchesToReport(ledger, { service: studio })).toEqual([]);
  });

  test('of another service are left to its own workers', async () => {
    const batchId = await scene.make(['a']);
    await scene.deliver(batchId, 'a');
    await settleBatch(ledger, { batchId, nowMs: scene.nowMs });
    await renewReports(archive(), { name: 'other', baseUrl: 'https://movies.example/v1', rehearsal: false });
    await expect(certificateOf(batchId)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('results.jsonl', () => {
  test('has a line for each row, money in minor units and files with their hashes', async () => {
    const batchId = await scene.make(['a', 'b']);
    await scene.deliver(batchId, 'a');
    const lines = (await written(batchId, 'results.jsonl'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ id, state }) => [id, state])).toEqual([
      ['a', 'delivered'],
      ['b', 'planned'],
    ]);
    expect(lines[0]).toMatchObject({ posted_minor: 100, files: [{ type: 'final_video', sha256: 'ab'.repeat(32) }] });
  });
});

describe('gallery.html', () => {
  test('shows films by relative links, and runs nothing that a sheet or a service said', async () => {
    const evil = '<script>alert(1)</script> "onmouseover=alert(2)" a runner';
    const batchId = await scene.make([brief('a', { prompt: evil }), 'b']);
    await scene.deliver(batchId, 'a');
    await fail(batchId, 'b', '<img src=x onerror=alert(3)>');
    const html = await written(batchId, 'gallery.html');
    expect(html).toContain('src="./a/final.mp4"'); // beside the page, whatever the folder is called by now
    expect(html).toMatch(/<h2 class="name"><b>1<\/b> a /);
    expect(html).toContain('<p class="prompt" dir="auto">');
    expect(html).toContain("default-src 'none'");
    expect(html).not.toContain('<img src=x');
    expect(html.match(/<script/g)).toHaveLength(1); // the page's own, which its policy names by its hash
    expect(html).toContain('&lt;script&gt;');
    expect(html).toContain('1 of 2 movies delivered');
  });

  test('has captions within the page, where it is opened from a disk', async () => {
    const films = deliveredFilms(scene);
    const batchId = await scene.make(['a', 'b']);
    await films.deliver(batchId, 'a');
    await films.deliver(batchId, 'b');
    await mkdir(join(folder, batchId, 'a'), { recursive: true });
    await writeFile(join(folder, batchId, 'a/captions.vtt'), 'WEBVTT');
    const target = createReportFolder(join(folder, batchId), folder);
    await writeReports({ ledger, target, batchId, nowMs: scene.nowMs });
    const html = await readFile(join(folder, batchId, 'gallery.html'), 'utf8');
    expect(html).toContain(
      `<track kind="captions" label="Captions" src="data:text/vtt;base64,${btoa('WEBVTT')}" default>`,
    );
    expect(html).toContain('src="./b/captions.vtt"'); // it is not there
  });

  test('shows films by the addresses that they are reached by, and lets only those be loaded', async () => {
    const films = deliveredFilms(scene);
    const batchId = await scene.make(['a']);
    await films.deliver(batchId, 'a');
    const addressOf = async (path: string) => `https://cdn.example/${path}?signature=1&more=2`;
    const target = createReportFolder(join(folder, 'elsewhere'));
    await writeReports({ ledger, target, batchId, nowMs: scene.nowMs, addressOf });
    const read = (name: string) => readFile(join(folder, 'elsewhere', name), 'utf8');
    const html = await read('gallery.html');
    const film = `https://cdn.example/${batchId}/a/final.mp4?signature=1&amp;more=2`;
    expect(html).toContain(`src="${film}"`);
    expect(html).toMatch(/content="[^"]*media-src 'self' file: data: https:\/\/cdn\.example;/);
    expect(await read('results.csv')).toContain(film.replace('&amp;', '&'));
    const { files } = JSON.parse(await read('results.jsonl'));
    const url = film.replace('&amp;', '&');
    expect(files).toContainEqual(expect.objectContaining({ path: `${batchId}/a/final.mp4`, url }));
  });

  test('is cut into pages that know each other', async () => {
    const rows = Array.from({ length: 250 }, (_, index) => `row-${index}`);
    const batchId = await scene.seal(rows);
    const first = await written(batchId, 'gallery.html');
    const second = await readFile(join(folder, 'gallery-2.html'), 'utf8');
    expect(first).toContain('href="gallery-2.html"');
    expect(second).toContain('href="gallery.html"');
    expect([first, second].map((html) => html.match(/<figure/g)?.length)).toEqual([240, 10]);
  });
});

async function written(batchId: string, name: string): Promise<string> {
  await writeReports({ ledger, target: createReportFolder(folder), batchId, nowMs: scene.nowMs });
  return readFile(join(folder, name), 'utf8');
}

async function fail(batchId: string, rowKey: string, message: string): Promise<void> {
  await scene.order(batchId, rowKey);
  await scene.look(batchId, rowKey, 'failed', { error: { code: 'moderation', message } });
}

async function read(name: string) {
  const source = await fileSource(join(folder, name));
  const { head, findings } = await checkManifest(source, { campaign: 'spring' });
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  const rows = [];
  for await (const page of readBriefs(source, { campaign: 'spring' })) rows.push(...page);
  return { columns: head.columns, rows };
}

async function* onePage<T>(rows: readonly T[]): AsyncGenerator<readonly T[]> {
  yield rows;
}
