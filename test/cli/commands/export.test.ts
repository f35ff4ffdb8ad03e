import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { unzipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rejectBatch } from '../../../ledger/plan/decisions.js';
import { fay } from '../../ledger/scene.js';
import { openPlace, type Place } from '../terminal.js';

let place: Place;
let batchId: string;
let movies: string[];
beforeEach(async () => {
  place = await openPlace();
  await place.scene.fund('acme', 10_000_000);
  batchId = await place.scene.make(['a', 'b'], { amountMinor: 123_450 });
  movies = [await place.scene.deliver(batchId, 'a'), await place.scene.deliver(batchId, 'b')];
});
afterEach(() => place.close());

const rowsOf = (csv: string): Record<string, string>[] => parse(csv, { columns: true, bom: true });

async function reconcile(name: string, amount: string): Promise<void> {
  await writeFile(join(place.folder, name), `movie_id,amount\n${movies[0]},${amount} USD\n`);
  await place.run(['reconcile', name, '--yes']);
}

describe('as a workbook', () => {
  /** The numbers of a column, below its header, as a spreadsheet would sum them. */
  async function numbersIn(file: string, column: string): Promise<readonly number[]> {
    const parts = unzipSync(await readFile(join(place.folder, file)));
    const xml = Buffer.from(parts['xl/worksheets/sheet1.xml'] ?? []).toString();
    const cells = xml.matchAll(new RegExp(`<c r="${column}(?!1")\\d+"(?:(?! t=)[^>])*><v>([^<]*)</v>`, 'g'));
    return [...cells].map(([, value]) => Number(value));
  }

  test('entries, sums and audit have amounts and counts as numbers that add up', async () => {
    await reconcile('november.csv', '1000.00');
    for (const args of [
      ['spend', '--entries', '--xlsx', 'entries.xlsx'],
      ['spend', '--xlsx', 'spend.xlsx'],
      ['audit', 'list', '--xlsx', 'audit.xlsx'],
    ]) {
      expect(await place.run(args)).toMatchObject({ code: 0, out: '' });
    }
    expect(await numbersIn('entries.xlsx', 'L')).toEqual([0, 0, 1234.5, 0, 1234.5, -234.5]);
    expect(await numbersIn('spend.xlsx', 'B')).toEqual([2]);
    expect(await numbersIn('spend.xlsx', 'F')).toEqual([2234.5]);
    const records = (await numbersIn('audit.xlsx', 'A')).length;
    expect(records).toBe(rowsOf((await place.run(['audit', 'list', '--csv'])).out).length);
  });

  test('is written beside nothing of that name, and never over it', async () => {
    await writeFile(join(place.folder, 'spend.xlsx'), 'mine');
    const { err, code } = await place.run(['spend', '--xlsx', 'spend.xlsx']);
    expect([code, err]).toEqual([2, 'Cannot write spend.xlsx: the file exists; choose another name\n']);
  });
});

describe('spend --entries', () => {
  test('as CSV is every movement with its movie, amounts as numbers, and what it spent', async () => {
    await reconcile('november.csv', '1000.00');
    const { out, code } = await place.run(['spend', '--entries', '--csv']);
    expect(code).toBe(0);
    expect(out.split('\r\n')[0]).toBe(
      'entry,at_utc,kind,campaign,batch,row,attempt,movie_id,budget,service,amount,spent,overrun,currency,rehearsal,note',
    );
    const rows = rowsOf(out);
    expect(rows.map(({ kind }) => kind)).toEqual(['commit', 'hold', 'post', 'hold', 'post', 'correction']);
    expect(rows[2]).toMatchObject({
      ...{ batch: batchId, row: 'a', attempt: '1', movie_id: movies[0], budget: 'acme/spring', service: 'studio' },
      ...{ amount: '1234.50', spent: '1234.50', overrun: '0.00', currency: 'USD', rehearsal: 'rehearsal' },
    });
    expect(rows[2]?.at_utc).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    // A credit is a number for a spreadsheet: an apostrophe would make a text of it.
    expect(rows[5]).toMatchObject({ amount: '-234.50', spent: '-234.50', note: 'invoice november.csv' });
    const spent = rows.reduce((sum, row) => sum + Math.round(Number(row.spent) * 100), 0);
    const [sum] = JSON.parse((await place.run(['spend', '--json'])).out);
    expect(spent).toBe(sum.spent_minor);
  });

  test('is of one campaign and of some days where that is asked for; as JSON a line for each', async () => {
    await place.scene.make(['c'], { campaign: 'winter' });
    const winter = await place.run(['spend', '--entries', '--campaign', 'winter', '--json']);
    expect(
      winter.out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { kind: 'commit', campaign: 'winter', id: null, amount_minor: 100, spent_minor: 0, currency: 'USD' },
    ]);
    expect((await place.run(['spend', '--entries', '--until', '2020-12-31'])).out).toBe('');
    const lines = (await place.run(['spend', '--entries'], { columns: 120 })).out.trim().split('\n');
    expect(lines).toHaveLength(6);
    expect(lines[2]).toMatch(/3 +\S+ +post +spring-1 +a +1,234\.50 USD/);
  });

  test('of more entries than a page is whole, in order', async () => {
    const many = Array.from({ length: 1_200 }, (_, entry) => ({
      ...{ at_ms: entry, kind: 'commit' as const, batch_id: batchId, amount_minor: 0, currency: 'USD' },
      ...{ batch_seq: entry + 100, hash: '' },
    }));
    await place.ledger.db.insertInto('entries').values(many).execute();
    const numbers = rowsOf((await place.run(['spend', '--entries', '--csv'])).out).map(({ entry }) => Number(entry));
    expect(numbers).toEqual(Array.from({ length: 1_205 }, (_, index) => index + 1));
  });
});

describe('audit list --csv', () => {
  test('is every record from the first on, with its hash; nothing in it runs as a formula', async () => {
    const other = await place.scene.seal(['x', 'y']);
    const reason = 'too dear, "wait";\nnext Läufer';
    await rejectBatch(place.ledger, { batchId: other, actor: fay, reason, nowMs: Date.now() });
    await reconcile('=1+1.csv', '1234.50');
    const { out } = await place.run(['audit', 'list', '--csv']);
    expect(out.startsWith('\ufeffrecord,at_utc,by,')).toBe(true);
    const rows = rowsOf(out);
    expect(rows.map(({ record }) => Number(record))).toEqual(rows.map((_, index) => index + 1));
    const rejected = rows.find(({ act }) => act === 'reject');
    expect(JSON.parse(rejected?.detail ?? '')).toMatchObject({ reason });
    expect(rejected?.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(rows.find(({ act }) => act === 'reconcile')?.object).toBe("'=1+1.csv");
    const ofOne = rowsOf((await place.run(['audit', 'list', '--of', other, '--csv'])).out);
    expect(new Set(ofOne.map(({ object }) => object))).toEqual(new Set([other]));
  });

  test('of plain text has no byte order mark, which programs do not expect', async () => {
    expect((await place.run(['audit', '--csv'])).out.startsWith('record,at_utc,')).toBe(true);
    expect(await place.run(['audit', '--csv', '--json'])).toMatchObject({ code: 2 });
  });
});
