import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createArchiveMarks } from '../../../archive/archive-marks.js';
import { createFileNotes } from '../../../archive/folder/file-notes.js';
import { serviceDigest } from '../../../domain/service.js';
import { listAudit } from '../../../ledger/access/audit.js';
import { listEntries } from '../../../ledger/money/entries.js';
import { settleBatch } from '../../../ledger/progress/settle.js';
import { ledgerMark } from '../../../ledger/verification/restored-ledger.js';
import { openPlace, type Place } from '../terminal.js';

let place: Place;
let batchId: string;
let movies: string[];
beforeEach(async () => {
  place = await openPlace();
  await place.scene.fund('acme', 10_000);
  batchId = await place.scene.make(['a', 'b', 'c']);
  movies = [];
  for (const key of ['a', 'b', 'c']) movies.push(await place.scene.deliver(batchId, key));
});
afterEach(() => place.close());

async function invoice(lines: readonly string[], name = 'november.csv'): Promise<string> {
  await writeFile(join(place.folder, name), ['movie_id,amount,currency,description', ...lines, ''].join('\n'));
  return name;
}

async function corrections() {
  const entries = await listEntries(place.ledger, { limit: 100 });
  return entries.filter(({ kind }) => kind === 'correction').map(({ amountMinor }) => amountMinor);
}

describe('reconcile', () => {
  test('shows sums and movies by kind, asks, and books what differs; again it books nothing', async () => {
    const [a, b] = movies;
    const file = await invoice([`${a},1.00,USD,`, `${b},1.30,USD,`, 'movie_x,0.70,USD,who ordered this?']);
    const first = await place.run(['reconcile', file], { tty: true, types: ['1'], columns: 120 });
    expect(first.out).toContain('november.csv  studio (rehearsal, no charges)  3 lines');
    expect(first.out).toMatch(/MOVIES +BOOKED +INVOICED +DIFFERENCE/);
    expect(first.out).toMatch(/matched +1 +1\.00 +1\.00 +0\.00 USD\n/);
    expect(first.out).toMatch(/different +1 +1\.00 +1\.30 +0\.30 USD +overrun 0\.30\n/);
    expect(first.out).toMatch(/not in ledger +1 +0\.00 +0\.70 +0\.70 USD\n/);
    expect(first.out).toMatch(/not on invoice +1 +1\.00 +0\.00 +-1\.00 USD\n/);
    expect(first.out).toMatch(/all +4 +3\.00 +3\.00 +0\.00 USD/);
    expect(first.out).toContain(`spring-1  b  ${b}  booked 1.00, invoiced 1.30 USD, overrun 0.30`);
    expect(first.out).toContain('row 4  movie_x  0.70 USD  who ordered this?');
    expect(first.err).toContain('Book 1 correction? Type the number of corrections');
    expect(first.out).toContain('1 correction booked');
    expect(first.code).toBe(1);
    expect(await corrections()).toEqual([30]);

    const again = await place.run(['reconcile', file]);
    expect(again.out).toContain('Nothing to correct');
    expect(await corrections()).toEqual([30]);
  });

  test('with every movie matched or corrected ends with 0', async () => {
    const [a, b, c] = movies;
    const file = await invoice([`${a},1.00,USD,`, `${b},0.80,USD,`, `${c},1.00,USD,`]);
    expect(await place.run(['reconcile', file, '--preview'])).toMatchObject({ code: 1 });
    expect(await place.run(['reconcile', file, '--yes'])).toMatchObject({ code: 0 });
    expect(await place.run(['reconcile', file, '--preview'])).toMatchObject({ code: 0 });
    expect(await corrections()).toEqual([-20]);
  });

  test.each([
    ['a preview', ['--preview'], {}, 1, 'nothing was written'],
    ['nobody to ask', [], {}, 3, '--yes records them'],
    ['an answer that is not the number', [], { tty: true, types: ['yes'] }, 3, 'Nothing is booked'],
  ])('%s writes nothing', async (_what, flags, options, code, words) => {
    const file = await invoice([`${movies[0]},1.30,USD,`, `${movies[1]},1.30,USD,`]);
    const ran = await place.run(['reconcile', file, ...flags], options);
    expect(ran.out + ran.err).toContain(words);
    expect(ran.code).toBe(code);
    expect(await corrections()).toEqual([]);
  });

  test('as JSON has every movie, sums by currency, and how many corrections were booked', async () => {
    const [a, b, c] = movies;
    const file = await invoice([`${a},1.00,USD,`, `${b},1.30,USD,`, 'movie_x,2.00,EUR,']);
    const { out } = await place.run(['reconcile', file, '--yes', '--json']);
    const document = JSON.parse(out);
    expect(document).toMatchObject({
      ...{ invoice: 'november.csv', service: 'studio', rehearsal: true, corrections: 1 },
      matched: [{ movie_id: a, batch: 'spring-1', id: 'a', booked_minor: 100, invoiced_minor: 100 }],
      different: [{ movie_id: b, booked_minor: 100, invoiced_minor: 130, overrun_minor: 30 }],
      missing_here: [{ movie_id: 'movie_x', currency: 'EUR', invoiced_minor: 200, order: null }],
      missing_there: [{ movie_id: c, booked_minor: 100, invoiced_minor: 0 }],
    });
    const eur = { movies: 1, booked_minor: 0, invoiced_minor: 200, overrun_minor: 0 };
    expect(document.sums).toMatchObject([
      { currency: 'EUR', missing_here: eur, all: eur },
      { currency: 'USD', all: { movies: 3, booked_minor: 300, invoiced_minor: 230 } },
    ]);
  });

  test('of a surcharge and a credit note in further files adds up, and the certificate shows it', async () => {
    const [a, b, c] = movies;
    await settleBatch(place.ledger, { batchId, nowMs: Date.now() });
    const all = await invoice([`${a},1.00,USD,`, `${b},1.00,USD,`, `${c},1.00,USD,`]);
    const first = await place.run(['reconcile', all]);
    expect(first.out).toContain('spring-1: every movie is invoiced');
    expect((await place.run(['status', batchId])).out).toMatch(/invoiced +all 3 movies/);
    expect(JSON.parse((await place.run(['status', batchId, '--json'])).out)).toMatchObject({
      invoiced: { movies: 3, invoiced: 3, complete: true },
    });
    expect(first.code).toBe(0);
    const surcharge = await invoice([`${b},0.60,USD,weekend`], 'surcharge.csv');
    await place.run(['reconcile', surcharge, '--yes']);
    const credit = await invoice([`${c},-0.40,USD,late`], 'credit.csv');
    expect(await place.run(['reconcile', credit, '--yes'])).toMatchObject({ code: 0 });
    expect(await corrections()).toEqual([60, -40]);
    const again = await place.run(['reconcile', surcharge, '--yes']);
    expect(again.out).toMatch(/surcharge\.csv was read on .*: it counts once/);
    expect(await corrections()).toEqual([60, -40]);
    const file = join(place.folder, 'out', batchId, 'certificate.json');
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
      money: { posted_minor: 300, overrun_minor: 60, refunded_minor: 40 },
      invoiced: { movies: 3, invoiced: 3, complete: true },
    });
  });

  test('a file of the same name with other lines asks for a number', async () => {
    await place.run(['reconcile', await invoice([`${movies[0]},1.00,USD,`]), '--yes']);
    const other = await invoice([`${movies[0]},0.30,USD,`]);
    const refused = await place.run(['reconcile', other, '--yes']);
    expect(refused.err).toContain('--number');
    expect(refused.code).toBe(2);
    await place.run(['reconcile', other, '--yes', '--number', 'INV-2']);
    expect(await corrections()).toEqual([30]);
  });

  test('misses only movies of the days that the invoice is about', async () => {
    const file = await invoice([`${movies[0]},1.00,USD,`]);
    const ofToday = await place.run(['reconcile', file, '--json']);
    expect(JSON.parse(ofToday.out).missing_there).toHaveLength(2);
    const ofLongAgo = await place.run(['reconcile', file, '--until', '2020-12-31', '--json']);
    expect(JSON.parse(ofLongAgo.out).missing_there).toEqual([]);
    expect(await place.run(['reconcile', file, '--until', 'yesterday'])).toMatchObject({ code: 2 });
  });

  test('the key of an unknown order says how to resolve it', async () => {
    const open = await place.scene.make(['d'], { campaign: 'winter' });
    await place.scene.admit(open, 'd');
    await place.scene.answer(open, 'd', { kind: 'broken' });
    const { idempotencyKey } = await place.scene.row(open, 'd');
    await writeFile(join(place.folder, 'keys.csv'), `idempotency_key;amount\n${idempotencyKey};1,00 USD\n`);
    const { out } = await place.run(['reconcile', 'keys.csv', '--preview'], { columns: 200 });
    expect(out).toContain('greenlight unknown resolve winter-1 d --created <movie id>');
  });

  test('an invoice that cannot be used shows every finding at its cell, and writes nothing', async () => {
    const file = await invoice([`${movies[0]},"1,300",USD,`, ',1.00,USD,total']);
    const { out, err, code } = await place.run(['reconcile', file, '--yes']);
    expect(out).toContain('row 2 (line 2) B amount error "1,300" can be read in two ways');
    expect(out).toContain(
      'row 3 (line 3) A movie_id error the row names no movie; delete it if it is a total or a fee',
    );
    expect(err).toContain('Cannot use the invoice: 2 errors; nothing was written');
    expect(code).toBe(2);
    const json = await place.run(['reconcile', file, '--yes', '--json']);
    expect(JSON.parse(json.out)).toMatchObject({
      errors: 2,
      findings: [{ code: 'amount', row: 2, line: 2, column: 'B', before: '1,300' }, { code: 'no_movie' }],
    });
    expect(await corrections()).toEqual([]);
    const none = await place.run(['reconcile', 'none.csv']);
    expect(none.out).toContain('there is no file none.csv');
    expect(none.code).toBe(2);
  });

  test('needs the role of finance, and says in which currency a movie was approved', async () => {
    const file = await invoice([`${movies[0]},1.30,EUR,`]);
    const other = await place.run(['reconcile', file, '--yes']);
    expect(other.err).toContain('row 2 has');
    expect(other.err).toContain('in EUR, it was approved in USD');
    expect(other.code).toBe(2);
    const ada = await place.run(['people', 'add', 'ada', '--role', 'admin']);
    const env = { GREENLIGHT_TOKEN: ada.out.trim() };
    const refused = await place.run(['reconcile', await invoice([`${movies[0]},1.30,USD,`]), '--yes'], { env });
    expect(refused.err).toContain('does not have the finance role');
    expect(refused.code).toBe(3);
    expect(await corrections()).toEqual([]);
  });

  test('more movies than fit a screen are counted', async () => {
    const file = await invoice(Array.from({ length: 25 }, (_, index) => `movie_${index},1.00,USD,`));
    const { out } = await place.run(['reconcile', file]);
    expect(out).toContain('and 5 more: --json');
  });
});

describe('reconcile restored', () => {
  const marks = () => createArchiveMarks(createFileNotes(join(place.folder, 'out')));

  test('of a ledger that is not behind says so', async () => {
    const { out, code } = await place.run(['reconcile', 'restored']);
    expect(out).toContain('Nothing is blocked');
    expect(code).toBe(0);
  });

  test('shows what the archive knows, is lifted by finance with a reason, and marks the archive anew', async () => {
    const own = await ledgerMark(place.ledger);
    const ahead = {
      ledgerId: own.ledgerId,
      sequence: own.sequence + 9,
      service: { name: 'studio', baseUrl: 'embedded' },
    };
    await marks().write(ahead);
    await mkdir(join(place.folder, 'out', 'spring-2', 'd'), { recursive: true });
    const order = { service: serviceDigest({ name: 'studio', baseUrl: 'embedded' }), content_digest: 'd'.repeat(64) };
    const record = { movie_id: 'movie_d', order, verdict: 'as ordered', measured: null, files: [] };
    await writeFile(join(place.folder, 'out', 'spring-2', 'd', 'movie.json'), JSON.stringify(record));

    const looked = await place.run(['reconcile', 'restored'], { columns: 100 });
    expect(looked.out).toContain('Halted: the archive is ahead of this ledger by 9 entries');
    expect(looked.out).toMatch(/books +this ledger +entry \d+, send \d+\narchive +this ledger +entry \d+ +studio\n/);
    expect(looked.out).toMatch(/in the archive and not in the ledger:\n +spring-2 +d +movie_d\n/);
    expect(looked.out).toContain('It is left out as a duplicate if submitted again; --allow-duplicates orders');
    expect(looked.err).toContain('greenlight reconcile restored --reason');
    expect(looked.code).toBe(3);

    const ada = await place.run(['people', 'add', 'ada', '--role', 'admin', '--role', 'finance']);
    const env = { GREENLIGHT_TOKEN: ada.out.trim() };
    const aud = await place.run(['people', 'add', 'aud', '--role', 'auditor'], { env });
    const words = ['reconcile', 'restored', '--reason', 'backup of Monday'];
    const refused = await place.run(words, { env: { GREENLIGHT_TOKEN: aud.out.trim() } });
    expect(refused.err).toContain('does not have the finance role');
    expect(refused.code).toBe(3);
    const lifted = await place.run(words, { env });
    expect(lifted.out).toContain('Ordering resumes');
    expect(lifted.code).toBe(0);
    expect(await marks().list()).toMatchObject([{ ...ahead, sequence: own.sequence }]);
    expect(await place.run(['reconcile', 'restored'])).toMatchObject({ code: 0 });
    expect(await place.ledger.db.selectFrom('recovered_movies').selectAll().execute()).toMatchObject([
      { movie_id: 'movie_d', content_digest: order.content_digest, batch_id: 'spring-2', row_key: 'd' },
    ]);
    const [noted] = await listAudit(place.ledger, { object: 'ledger', limit: 1 });
    expect(noted).toMatchObject({
      act: 'reconcile_restored',
      actor: { name: 'ada' },
      detail: { reason: 'backup of Monday' },
    });
  });
});
