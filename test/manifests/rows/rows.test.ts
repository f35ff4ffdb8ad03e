import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { checkManifest, fileSource, ManifestError, readBriefs } from '../../../manifests/read-manifest.js';
import { runs } from '../../runs.js';
import { checkText, lines, writeManifest } from '../manifest-files.js';

const prompt = 'A red shoe turns slowly';
const columns = [
  'id',
  'prompt',
  'duration',
  'aspect_ratio',
  'style',
  'reference_1',
  'reference_1_role',
  'market',
  '__proto__',
];

/** Cells as good as they come, and as bad. */
const cells = fc.record({
  id: fc.oneof(fc.stringMatching(/^[a-z0-9._-]{0,6}$/), fc.constantFrom('a1', 'A1', '1E5', 'x y', '007', 'a1-16x9')),
  prompt: fc.oneof(
    fc.constantFrom(prompt, `${prompt} {{market}}`, '{{nothing}} there to see', 'short', '', `'=2+3 ${prompt}`),
    fc.string({ unit: 'grapheme' }),
  ),
  duration: fc.constantFrom('', '8', '8s', '0:08', '7,5', '1,000', '500', 'soon'),
  aspect_ratio: fc.constantFrom('', '16:9', '16:09', '21:09', '16:9|9:16', '16:9|16x9', 'wide|1:1', '09/16/2026'),
  style: fc.constantFrom('', 'warm', 'x'.repeat(1001)),
  reference_1: fc.constantFrom(
    '',
    'ref_1',
    'none.png',
    '../up.png',
    'https://example.com/a.png',
    'https://10.0.0.1/a.png',
  ),
  reference_1_role: fc.constantFrom('', 'product', 'hero'),
  market: fc.constantFrom('', 'de', 'Ünïcode', 'a\nb', ' '),
  own: fc.constantFrom('', 'x', '-5'),
});
const table = fc.array(cells, { minLength: 1, maxLength: 12 });
type Row = typeof cells extends fc.Arbitrary<infer T> ? T : never;

const valuesOf = (row: Row) => [
  row.id,
  row.prompt,
  row.duration,
  row.aspect_ratio,
  row.style,
  row.reference_1,
  row.reference_1_role,
  row.market,
  row.own,
];

async function outcomesOf(path: string) {
  const briefRows: number[] = [];
  const found = await checkManifest(await fileSource(path), {}, async (rows) => {
    for (const { row } of rows) briefRows.push(row);
  });
  const errorRows = found.findings.filter(({ severity }) => severity === 'error').map(({ row }) => row);
  return { found, briefRows, errorRows: new Set(errorRows) };
}

describe('every row', () => {
  test('of a sheet ends as briefs or as an error, never as both and never as neither', async () => {
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        const csv = [columns, ...rows.map(valuesOf)].map((row) =>
          row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','),
        );
        const { found, briefRows, errorRows } = await outcomesOf(await writeManifest('x.csv', csv.join('\n')));
        let filled = 0;
        for (const [index, row] of rows.entries()) {
          const number = index + 2;
          if (valuesOf(row).every((cell) => cell.trim() === '')) {
            expect([briefRows.includes(number), errorRows.has(number)]).toEqual([false, false]);
            continue;
          }
          filled += 1;
          expect(briefRows.includes(number), JSON.stringify(row)).toBe(!errorRows.has(number));
          const ratios = row.aspect_ratio.split('|').length;
          if (!errorRows.has(number)) expect(briefRows.filter((one) => one === number)).toHaveLength(ratios);
        }
        expect(found.rows).toBe(filled);
        expect(found.briefs).toBe(briefRows.length);
      }),
      { numRuns: runs(120) },
    );
  }, 60_000);

  test('of a YAML list ends as briefs or as an error too', async () => {
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        const movies = rows.map((row) =>
          Object.fromEntries(columns.map((name, index) => [name, valuesOf(row)[index]])),
        );
        const { found, briefRows, errorRows } = await outcomesOf(await writeManifest('x.yaml', stringify({ movies })));
        for (const [index, row] of rows.entries()) {
          expect(briefRows.includes(index + 1), JSON.stringify(row)).toBe(!errorRows.has(index + 1));
        }
        expect(found.rows).toBe(rows.length);
      }),
      { numRuns: runs(80) },
    );
  }, 60_000);

  test('that is read says what it says: nothing of it is dropped, defaulted or renamed', async () => {
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        const csv = [columns, ...rows.map(valuesOf)].map((row) =>
          row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','),
        );
        const path = await writeManifest('x.csv', csv.join('\n'));
        await checkManifest(await fileSource(path), {}, async (read) => {
          for (const { brief, row, cells: kept } of read) {
            const written = rows[row - 2];
            if (!written) throw new Error(`Cannot find row ${row}`);
            const multiplied = written.aspect_ratio.includes('|');
            expect(brief.rowKey).toBe(
              multiplied ? `${written.id}-${brief.aspectRatio?.replace(':', 'x')}` : written.id,
            );
            expect(brief.prompt).toBe(
              written.prompt
                .replace('{{market}}', written.market.trim())
                .replace(/^'=/, '=')
                .trim()
                .replace(/\r\n?/g, '\n'),
            );
            expect(brief.durationSeconds).toBe(written.duration === '' ? 30 : 8);
            if (written.aspect_ratio === '') expect(brief.aspectRatio).toBeNull();
            expect(brief.style).toBe(written.style === '' ? null : written.style);
            expect(brief.references).toHaveLength(written.reference_1 === '' ? 0 : 1);
            expect(kept.slice(7)).toEqual([written.market, written.own]);
          }
        });
      }),
      { numRuns: runs(120) },
    );
  }, 60_000);
});

describe('readBriefs', () => {
  const csv = (rows: readonly string[]) => `id,prompt\n${rows.join('\n')}\n`;
  const good = Array.from({ length: 2_500 }, (_, index) => `a${index},${prompt} ${index}`);

  test('gives pages of at most a thousand, in the order of the sheet, as often as it is asked', async () => {
    const source = await fileSource(await writeManifest('x.csv', csv(good)));
    for (let time = 0; time < 2; time += 1) {
      const sizes: number[] = [];
      const rows: number[] = [];
      for await (const page of readBriefs(source, {})) {
        sizes.push(page.length);
        rows.push(...page.map(({ row }) => row));
      }
      expect(sizes).toEqual([1_000, 1_000, 500]);
      expect(rows).toEqual(good.map((_, index) => index + 2));
    }
  }, 30_000);

  test('throws every finding at the end, and gives no page after the first error', async () => {
    const text = csv([...good.slice(0, 1_200), 'bad id,short', ...good.slice(1_200), 'a0,again and again']);
    const source = await fileSource(await writeManifest('x.csv', text));
    const pages: number[] = [];
    const reading = (async () => {
      for await (const page of readBriefs(source, {})) pages.push(page.length);
    })();
    const error = await reading.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ManifestError);
    expect(lines(error as ManifestError)).toEqual([
      'error id_form 1202 1202 A id',
      'error prompt_short 1202 1202 B prompt',
      'error id_duplicate 2503 2503 A id',
    ]);
    expect((error as Error).message).toBe(
      `Cannot use ${source.name}: row 1202 (line 1202) A id: "bad id" is not a valid id; use 1 to 64 of A-Z a-z 0-9 . _ - beginning with a letter or digit (and 2 more)`,
    );
    expect(pages.length).toBeLessThanOrEqual(1);
  }, 30_000);

  test('stops reading when its reader does', async () => {
    const source = await fileSource(await writeManifest('x.csv', csv(good)));
    const opened: { readonly destroyed: boolean }[] = [];
    const watched = {
      ...source,
      open() {
        const stream = source.open();
        opened.push(stream);
        return stream;
      },
    };
    for await (const page of readBriefs(watched, {})) {
      expect(page).toHaveLength(1_000);
      break;
    }
    expect(opened.length).toBeGreaterThan(1);
    expect(opened.every(({ destroyed }) => destroyed)).toBe(true);
  }, 30_000);
});

describe('fileSource', () => {
  test.each([
    ['/nowhere/at/all.csv', 'missing_file'],
    ['/tmp', 'not_a_file'],
    ['/dev/null', 'not_a_file'],
  ])('%s is refused', async (path, code) => {
    await expect(fileSource(path)).rejects.toMatchObject({ name: 'ManifestError', findings: [{ code }] });
  });

  test('an empty file is refused', async () => {
    await expect(checkText('x.csv', '')).rejects.toMatchObject({ findings: [{ code: 'empty_file' }] });
  });
});
