import type { WorkbookPackage } from './workbook-package.js';
import { readSmallPart } from './workbook.js';

/**
 * A date in the format of the reader's region: the workbook says only that, not how it looks. It is shown as in ISO
 * 8601, where month and day cannot be confused.
 */
const regionalDate = 'yyyy-mm-dd';
const regionalTime = 'yyyy-mm-dd hh:mm';

/**
 * Formats that workbooks use without declaring them (ECMA-376 part 1, 18.8.30). 27 to 36 and 50 to 58 are dates and
 * times of East Asia, 59 to 81 of Thailand.
 */
const builtIn: ReadonlyMap<number, string> = new Map([
  [1, '0'],
  [2, '0.00'],
  [3, '#,##0'],
  [4, '#,##0.00'],
  [5, '"$"#,##0_);("$"#,##0)'],
  [6, '"$"#,##0_);[Red]("$"#,##0)'],
  [7, '"$"#,##0.00_);("$"#,##0.00)'],
  [8, '"$"#,##0.00_);[Red]("$"#,##0.00)'],
  [9, '0%'],
  [10, '0.00%'],
  [11, '0.00E+00'],
  [12, '# ?/?'],
  [13, '# ??/??'],
  [14, regionalDate],
  [15, 'd-mmm-yy'],
  [16, 'd-mmm'],
  [17, 'mmm-yy'],
  [18, 'h:mm AM/PM'],
  [19, 'h:mm:ss AM/PM'],
  [20, 'h:mm'],
  [21, 'h:mm:ss'],
  [22, regionalTime],
  ...[27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58].map((id) => [id, regionalDate] as const),
  ...[32, 33, 34, 35].map((id) => [id, 'h:mm:ss'] as const),
  [37, '#,##0_);(#,##0)'],
  [38, '#,##0_);[Red](#,##0)'],
  [39, '#,##0.00_);(#,##0.00)'],
  [40, '#,##0.00_);[Red](#,##0.00)'],
  [41, '_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)'],
  [42, '_("$"* #,##0_);_("$"* (#,##0);_("$"* "-"_);_(@_)'],
  [43, '_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)'],
  [44, '_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)'],
  [45, 'mm:ss'],
  [46, '[h]:mm:ss'],
  [47, 'mm:ss.0'],
  [48, '##0.0E+0'],
  [59, '0'],
  [60, '0.00'],
  [61, '#,##0'],
  [62, '#,##0.00'],
  [63, '"$"#,##0_);("$"#,##0)'],
  [64, '"$"#,##0_);[Red]("$"#,##0)'],
  [65, '"$"#,##0.00_);("$"#,##0.00)'],
  [66, '"$"#,##0.00_);[Red]("$"#,##0.00)'],
  [67, '0%'],
  [68, '0.00%'],
  [69, '# ?/?'],
  [70, '# ??/??'],
  [71, regionalDate],
  [72, regionalDate],
  [73, 'd-mmm-yy'],
  [74, 'd-mmm'],
  [75, 'mmm-yy'],
  [76, 'h:mm'],
  [77, 'h:mm:ss'],
  [78, regionalTime],
  [79, 'mm:ss'],
  [80, '[h]:mm:ss'],
  [81, 'mm:ss.0'],
]);

/** In characters: spreadsheets accept no longer one, and patterns would take ages over it. */
const maxCodeLength = 255;

/** The number format of each cell style of a workbook, by its index; null when a number is shown as it is. */
export async function formatsOf(parts: WorkbookPackage, name: string): Promise<readonly (string | null)[]> {
  const codes = new Map<number, string>(builtIn);
  const ids: number[] = [];
  let list = '';
  await readSmallPart(parts, name, {
    open(tag, attributes) {
      if (tag === 'cellXfs' || tag === 'numFmts') list = tag;
      else if (tag === 'xf' && list === 'cellXfs') ids.push(Number(attributes.numFmtId ?? 0));
      else if (tag === 'numFmt' && list === 'numFmts') {
        const code = attributes.formatCode ?? '';
        if (code.length <= maxCodeLength) codes.set(Number(attributes.numFmtId), code);
      }
    },
    close(tag) {
      if (tag === list) list = '';
    },
  });
  return ids.map((id) => {
    const code = codes.get(id) ?? 'General';
    if (/^(?:general|@|)$/i.test(code.trim())) return null;
    return /^\[\$-F800\]/i.test(code) ? regionalDate : code;
  });
}
