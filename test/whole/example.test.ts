import { copyFile, cp, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { probeMovie } from '../../archive/probe.js';
import { example, expectPromisesKept, makeHome } from './home.js';

const minutes = 60_000;
const again = ['run', example, '--budget', '500USD', '--yes'];
const ratios: Readonly<Record<string, number>> = { '16:9': 16 / 9, '9:16': 9 / 16, '1:1': 1, '4:5': 4 / 5 };

interface RunJson {
  readonly batch: string;
  readonly status: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly money: { readonly estimated: number; readonly posted: number; readonly held: number };
}
interface Certificate {
  readonly rows: { readonly in: number; readonly out: number };
  readonly money: Readonly<Record<string, number | string>>;
}

describe('the example', () => {
  test(
    'is made from sheet to certificate with films of its own, and a second run orders nothing',
    { timeout: 8 * minutes },
    async () => {
      const home = await makeHome();
      const first = await home.json<RunJson>(again, { env: { GREENLIGHT_STUDIO_RENDER: 'draft' } });
      expect(first).toMatchObject({ batch: 'spring-launch-1', status: 'closed', counts: { delivered: 6 } });
      expect(await home.aliveParts()).toEqual([]);

      const folder = join(home.archive, 'spring-launch-1');
      const sheet = recordsOf(await readFile(example, 'utf8'));
      await expectFilms(folder, sheet);
      const [head, ...results] = rowsOf(await readFile(join(folder, 'results.csv'), 'utf8'));
      const [sheetHead, ...sheetRows] = rowsOf(await readFile(example, 'utf8'));
      expect(head?.slice(0, sheetHead?.length)).toEqual(sheetHead);
      expect(results.map((cells) => cells.slice(0, sheetHead?.length))).toEqual(sheetRows);

      const ledger = await home.ledger();
      const entries = await ledger.db.selectFrom('entries').selectAll().execute();
      const sum = (kind: string) =>
        entries.filter((each) => each.kind === kind).reduce((total, { amount_minor }) => total + amount_minor, 0);
      const certificate: Certificate = JSON.parse(await readFile(join(folder, 'certificate.json'), 'utf8'));
      expect(certificate).toMatchObject({ rows: { in: 6, out: 6 }, provisional: false, rehearsal: true });
      expect(certificate.money).toMatchObject({
        approved_minor: sum('commit'),
        posted_minor: sum('post'),
        held_minor: sum('hold') - sum('post') - sum('release'),
        returned_minor: sum('uncommit'),
        estimated_minor: first.money.estimated,
      });
      expect(sum('post')).toBeGreaterThan(0);
      expect(await home.run(['verify', 'spring-launch-1'])).toMatchObject({ code: 0 });
      expect(await home.run(['verify', folder])).toMatchObject({ code: 0 });
      const books = await home.books();
      expect(books.creates).toHaveLength(6);
      await expectPromisesKept(home, books);

      const second = await home.json<RunJson>(again);
      expect(second).toMatchObject({ status: 'closed', counts: { unchanged: 6 }, money: { posted: 0, held: 0 } });
      // The sheet that came back, laid beside the references of the one that was sent.
      const cameBack = join(home.folder, 'came-back.csv');
      await copyFile(join(folder, 'results.csv'), cameBack);
      await cp(join(dirname(example), 'refs'), join(home.folder, 'refs'), { recursive: true });
      const third = await home.json<RunJson>(['run', cameBack, '--campaign', 'spring-launch', '--yes']);
      expect(third).toMatchObject({ status: 'closed', counts: { unchanged: 6 }, money: { posted: 0, held: 0 } });
      expect((await home.books()).creates).toEqual(books.creates);
      await expectPromisesKept(home, books);
    },
  );
});

async function expectFilms(folder: string, sheet: readonly Readonly<Record<string, string>>[]): Promise<void> {
  const made = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  expect(made.map(({ name }) => name).sort()).toEqual(sheet.map(({ id }) => id).sort());
  for (const { id = '', duration_seconds, aspect_ratio = '' } of sheet) {
    const film = await probeMovie(join(folder, id, 'final.mp4'));
    expect(film, id).toMatchObject({ videoCodec: 'avc' });
    expect(Math.abs((film?.durationSeconds ?? 0) - Number(duration_seconds)), id).toBeLessThanOrEqual(0.1);
    expect((film?.width ?? 0) / (film?.height ?? 1), id).toBeCloseTo(ratios[aspect_ratio] ?? 0, 2);
  }
}

function rowsOf(csv: string): readonly string[][] {
  return parse(csv, { bom: true });
}

function recordsOf(csv: string): readonly Readonly<Record<string, string>>[] {
  return parse(csv, { bom: true, columns: true });
}
