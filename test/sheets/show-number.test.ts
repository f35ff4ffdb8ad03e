import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { formatsOf } from '../../sheets/xlsx/number-formats.js';
import { showNumber } from '../../sheets/xlsx/show-number.js';
import { openPackage } from '../../sheets/xlsx/workbook-package.js';
import { zipOf } from '../manifests/workbook.js';

/**
 * What LibreOffice 7.4 (English, USA) shows for ten numbers under every format that a workbook has built in and 133 of
 * its own. `-` is not compared: its calendar has no 29 February 1900, and it shows dates before that a day off.
 */
const recorded = new URL('../fixtures/workbooks/number-formats.csv', import.meta.url).pathname;

/** Where another text is right: dates of the reader's own region, and what LibreOffice alone does not have or has. */
const otherwise: ReadonlySet<string> = new Set([
  ...[14, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58, 71, 72, 78].map(String),
  ...['[$-F800]dddd, mmmm dd, yyyy', '[$-F400]h:mm:ss AM/PM', '[$-40A]d mmmm yyyy', 'h:mm A/P', 'b', 'bbbb', 'q'],
  ...['[$-419]d mmmm yyyy', '[$-415]d mmmm yyyy'],
]);
/** By format and number: years that no era has, a sign in front of a text, digits of a number with a text behind. */
const otherwiseAt: ReadonlySet<string> = new Set([
  ...['[$-411]ggge"年"m"月"d"日" 1234567.891', '[$-411]ge.m.d 1234567.891', '48 0', '##0.0E+0 0'],
  ...['[<10]"low";[>=10]"high" -5', '[=8]"eight";[<1]0.00;0 -5', '[>=1000]0.0,"k";0 -5', '"text" -5'],
  ...['General" s" 0.6729166666666667', 'General" s" 46000.6729166667'],
]);

async function codesOf(ids: readonly number[]): Promise<readonly (string | null)[]> {
  const xfs = ids.map((id) => `<xf numFmtId="${id}"/>`).join('');
  const styles = { name: 'xl/styles.xml', content: `<styleSheet><cellXfs>${xfs}</cellXfs></styleSheet>` };
  return formatsOf(await openPackage(zipOf([styles])), 'xl/styles.xml');
}

describe('a number in a cell', () => {
  test('is shown as LibreOffice shows it', async () => {
    const [head = [], ...rows] = parse(await readFile(recorded)) as string[][];
    const builtIn = await codesOf(Array.from({ length: 82 }, (_, id) => id));
    const differs: string[] = [];
    let compared = 0;
    for (const [id = '', code = '', ...shown] of rows) {
      if (otherwise.has(id || code)) continue;
      for (const [index, text] of shown.entries()) {
        const value = head[index + 2] ?? '';
        if (text === '-' || otherwiseAt.has(`${id || code} ${value}`)) continue;
        compared += 1;
        const format = id === '' ? (/^(?:General|@)$/.test(code) ? null : code) : (builtIn[Number(id)] ?? null);
        const { text: ours } = showNumber(Number(value), format);
        if (ours !== text) differs.push(`${id || code} ${value}: ${ours}, not ${text}`);
      }
    }
    expect(differs).toEqual([]);
    expect(compared).toBeGreaterThan(1_200);
  });

  test.each([
    [46_000, 14, '2025-12-09'],
    [46_000.6729166667, 14, '2025-12-09'],
    [46_000.6729166667, 22, '2025-12-09 16:09'],
    [46_000, 30, '2025-12-09'],
    [46_000, 57, '2025-12-09'],
    [0.6729166666666667, 14, '16:09'],
  ])('%d under the built-in format %d, which follows the region of its reader, is %s', async (value, id, text) => {
    const [code = null] = await codesOf([id]);
    expect(showNumber(value, code).text).toBe(text);
  });

  test.each([
    [46_000, '[$-411]ggge"年"m"月"d"日"', '令和7年12月9日'],
    [46_000, '[$-411]gge', '令7'],
    [46_000, '[$-404]ggge"年"m"月"', '民國114年12月'],
    [46_000, '[$-1070000]d/m/yyyy', '9/12/2568'],
    [46_000, '[$-40A]d "de" mmmm', '9 de diciembre'],
    [8, '[$€-407] #,##0.00', '€ 8,00'],
    [8.0000000000000018, null, '8'],
    [0.1 + 0.2, null, '0.3'],
    [1_234_567_890_123_456, null, '1234567890123456'],
    [8, 'no "format', '8'],
  ])('%d as %s is %s', (value, code, text) => {
    expect(showNumber(value, code).text).toBe(text);
  });

  test('a time of day is known by itself, whatever its format leaves out', () => {
    expect(showNumber(0.6729166666666667, 'mm:ss')).toEqual({ text: '09:00', clock: '16:09', isImpossible: false });
    expect(showNumber(1.5, '[h]:mm')).toEqual({ text: '36:00', clock: null, isImpossible: false });
  });

  test.each([
    [1e12, 'yyyy-mm-dd', '1000000000000'],
    [-5, 'yyyy-mm-dd', '-5'],
    [-0.5, 'h:mm', '-0.5'],
    [2_958_466, 'd mmm yyyy', '2958466'],
  ])('%d as %s is on no calendar', (value, code, text) => {
    expect(showNumber(value, code)).toMatchObject({ text, isImpossible: true });
  });

  test('days from 1904 are moved, times since the start are not', () => {
    expect(showNumber(43_708, 'yyyy-mm-dd', true).text).toBe('2023-09-01');
    expect(showNumber(1.5, '[h]:mm', true).text).toBe('36:00');
    expect(showNumber(0.6729166666666667, 'h:mm', true)).toMatchObject({ text: '16:09', clock: '16:09' });
  });
});
