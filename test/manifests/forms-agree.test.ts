import { writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import writeWorkbook from 'write-excel-file/node';
import { stringify } from 'yaml';
import { aspectRatios, referenceRoles } from '../../domain/brief.js';
import { neutraliseFormula } from '../../domain/cells/formula-cell.js';
import type { ManifestRow } from '../../manifests/read-manifest.js';
import { runs } from '../runs.js';
import { briefs, briefsOf, checkText, fixtures, writeManifest } from './manifest-files.js';

const headers = [
  'id',
  'prompt',
  'duration_seconds',
  'aspect_ratio',
  'style',
  'reference_1',
  'reference_1_role',
  'market',
] as const;
type Cells = Readonly<Record<(typeof headers)[number], string>>;

/** What a person may write in a text, blanks and line ends at its edges apart, which no form keeps. */
const text = (minLength: number, maxLength: number) =>
  fc
    .string({
      unit: fc.oneof(fc.constantFrom(...'abc  ,;"\'=-+@:#&<>|\n'), fc.constantFrom('é', 'ß', '漢', '😀')),
      minLength,
      maxLength,
    })
    .map((one) => one.trim())
    .filter((one) => [...one].length >= minLength && !/^'+[=+\-@]/.test(one));
const row = fc.record({
  prompt: text(12, 60),
  duration_seconds: fc.option(fc.integer({ min: 5, max: 120 }).map(String), { nil: '' }),
  aspect_ratio: fc.constantFrom('', ...aspectRatios),
  style: fc.oneof(fc.constant(''), text(1, 20)),
  reference_1: fc.constantFrom('', 'ref_abc', 'https://example.com/a.png'),
  reference_1_role: fc.constantFrom(...referenceRoles),
  market: fc.oneof(fc.constant(''), text(1, 8)),
});
const table = fc
  .array(row, { minLength: 1, maxLength: 5 })
  .map((rows): readonly Cells[] => rows.map((cells, index) => ({ id: `0${index}`, ...cells })));

function csv(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`).join('');
}

const asCsv = (rows: readonly Cells[]) =>
  csv([headers, ...rows.map((cells) => headers.map((header) => cells[header]))]);

const essence = (rows: readonly ManifestRow[]) => rows.map(({ brief, digest, cells }) => ({ brief, digest, cells }));

/** A results file: the team's own columns and cells, neutralised, and ours behind them. */
function asResults(columns: readonly string[], rows: readonly ManifestRow[]): string {
  const ours = ['state', 'movie_id', 'asset_files', 'sha256', 'estimated', 'posted', 'verdict', 'reason'];
  const results = rows.map(({ cells }) => [
    ...cells,
    'delivered',
    'movie_1',
    'final.mp4',
    'ab',
    '3.00 USD',
    '3.00 USD',
    '',
    '',
  ]);
  return `\ufeff${csv([[...columns, ...ours], ...results].map((cells) => cells.map(neutraliseFormula)))}`;
}

describe('the three forms', () => {
  test('give the same briefs and digests for the same rows', async () => {
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        const fromCsv = essence(await briefsOf('x.csv', asCsv(rows)));
        const fromYaml = essence(await briefsOf('x.yaml', stringify({ movies: rows })));
        const path = await writeManifest('x.xlsx', '');
        const cells = rows.map((one) => headers.map((header) => ({ type: String, value: one[header] })));
        await writeFile(
          path,
          await writeWorkbook([headers.map((value) => ({ type: String, value })), ...cells]).toBuffer(),
        );
        const fromXlsx = essence(await briefs(path));
        expect(fromCsv).toHaveLength(rows.length);
        expect(fromYaml).toEqual(fromCsv);
        expect(fromXlsx).toEqual(fromCsv);
      }),
      { numRuns: runs(40) },
    );
  }, 60_000);

  test('read again out of a results file, any number of times, give the same briefs', async () => {
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        const first = await briefsOf('x.csv', asCsv(rows));
        const second = await briefsOf('results.csv', asResults(headers, first), { campaign: 'x' });
        const third = await briefsOf('results.csv', asResults(headers, second), { campaign: 'x' });
        expect(essence(second)).toEqual(essence(first));
        expect(essence(third)).toEqual(essence(first));
      }),
      { numRuns: runs(40) },
    );
  }, 60_000);
});

describe('a results file', () => {
  test('of prompts that look like formulas gives them back, and has no findings', async () => {
    const rows = await briefs(`${fixtures}formula_prompts.csv`);
    const text = asResults(['id', 'prompt', 'duration', 'aspect_ratio', 'style'], rows);
    expect(text).not.toMatch(/(?:^|,)"[=+\-@]/m);
    const found = await checkText('results.csv', text);
    expect(found.findings).toEqual([]);
    expect(found.head.columns).toEqual(['id', 'prompt', 'duration', 'aspect_ratio', 'style']);
    expect(essence(await briefsOf('results.csv', text))).toEqual(essence(rows));
  });

  test('of rows that were multiplied, templated and repaired gives the same briefs', async () => {
    const rows = await briefsOf(
      'x.yaml',
      `defaults: { style: "=warm", references: [{ id: ref_1, role: product }] }
matrix: { market: [de, fr], aspect_ratio: [969, "9:16"] }
movies:
  - { id: hero, prompt: "A runner in {{market}}, as {{id}} in {{aspect_ratio}}" }
`,
    );
    const columns = ['id', 'prompt', 'aspect_ratio', 'style', 'reference_1', 'reference_1_role', 'market'];
    const again = await briefsOf('results.csv', asResults(columns, rows), { campaign: 'x' });
    expect(again.map(({ brief, digest }) => [brief, digest])).toEqual(rows.map(({ brief, digest }) => [brief, digest]));
  });

  test('keeps a column of the team’s own that has the name of one of ours', async () => {
    const rows = await briefsOf(
      'x.csv',
      csv([
        ['id', 'prompt', 'state', 'reason'],
        ['a1', 'A red shoe turns', 'Ohio', 'launch'],
      ]),
    );
    const text = asResults(['id', 'prompt', 'state', 'reason'], rows);
    const found = await checkText('results.csv', text);
    expect(found.head.columns).toEqual(['id', 'prompt', 'state', 'reason']);
    expect(found.errors).toBe(0);
    expect((await briefsOf('results.csv', text))[0]?.cells).toEqual(['a1', 'A red shoe turns', 'Ohio', 'launch']);
  });

  test('that lost the columns of ours is a manifest like any other', async () => {
    const found = await checkText(
      'x.csv',
      csv([
        ['id', 'prompt', 'state', 'reason'],
        ['a1', 'A red shoe turns', 'Ohio', 'x'],
      ]),
    );
    expect(found.head.columns).toEqual(['id', 'prompt', 'state', 'reason']);
  });
});
