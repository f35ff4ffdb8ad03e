import { tagsOf } from './xml-tags.js';

/** Formats that a workbook has without naming them (ECMA-376 part 1, 18.8.30). */
const builtIn: ReadonlyMap<number, string> = new Map([
  [1, '0'],
  [2, '0.00'],
  [3, '#,##0'],
  [4, '#,##0.00'],
  [9, '0%'],
  [10, '0.00%'],
  [11, '0.00E+00'],
  [18, 'h:mm AM/PM'],
  [19, 'h:mm:ss AM/PM'],
  [20, 'h:mm'],
  [21, 'h:mm:ss'],
  [45, 'mm:ss'],
  [46, '[h]:mm:ss'],
  [47, 'mmss.0'],
]);

/** The number format of each cell style of a workbook. */
export function formatsOf(styles: string): readonly string[] {
  const codes = new Map(builtIn);
  for (const format of tagsOf(styles, 'numFmt')) {
    const code = format.get('formatCode') ?? '';
    if (code.length <= longestCode) codes.set(Number(format.get('numFmtId')), code);
  }
  const from = /<(?:\w+:)?cellXfs(?=[\s/>])/.exec(styles)?.index ?? styles.length;
  const length = /<\/(?:\w+:)?cellXfs>/.exec(styles.slice(from))?.index;
  const formats: string[] = [];
  for (const style of tagsOf(styles.slice(from, length === undefined ? undefined : from + length), 'xf')) {
    formats.push(codes.get(Number(style.get('numFmtId'))) ?? 'General');
  }
  return formats;
}

/** In characters; spreadsheets take no longer one, and patterns below would take ages over it. */
const longestCode = 255;

/**
 * A number as its format shows it, for the formats that change what a person reads: leading zeros, fixed decimals,
 * thousands, percent, powers of ten, and words around it. All others show the number itself.
 */
export function showNumber(value: number, format: string | null): string {
  if (format === null) return String(value);
  const [section = ''] = format.split(/;(?=(?:[^"]*"[^"]*")*[^"]*$)/);
  const code = section.replace(/\[[^\]]*\]|_.|\*./g, '');
  const [, before = '', digits = '', after = ''] =
    /^((?:"[^"]*"|\\.|[^0#?.,%E"\\])*)([0#?.,%E+-]+)((?:"[^"]*"|\\.|[^0#?"\\])*)$/.exec(code) ?? [];
  const shown = digits === '' ? null : showDigits(value, digits);
  return shown === null ? String(value) : `${words(before)}${shown}${words(after)}`;
}

function showDigits(value: number, digits: string): string | null {
  const [, decimals = ''] = /\.([0#?]+)/.exec(digits) ?? [];
  if (/E\+0+$/.test(digits)) {
    const [base = '', exponent = '0'] = value.toExponential(decimals.length).split('e');
    const power = Math.abs(Number(exponent)).toString().padStart(2, '0');
    return `${base}E${Number(exponent) < 0 ? '-' : '+'}${power}`;
  }
  if (!/^[0#?,]*(?:\.[0#?]+)?%?$/.test(digits)) return null;
  const isPercent = digits.endsWith('%');
  const fixed = (isPercent ? value * 100 : value).toFixed(decimals.length);
  const [whole = '', fraction = ''] = fixed.replace('-', '').split('.');
  const least = /0*$/.exec(digits.replace(/[.%].*$/, '').replaceAll(',', ''))?.[0].length ?? 0;
  const padded = whole.padStart(least, '0');
  const grouped = /[#0],[#0]{3}/.test(digits) ? padded.replace(/\B(?=(?:\d{3})+$)/g, ',') : padded;
  const kept = fraction.replace(new RegExp(`0{0,${decimals.match(/[#?]*$/)?.[0].length ?? 0}}$`), '');
  return `${value < 0 ? '-' : ''}${grouped}${kept === '' ? '' : `.${kept}`}${isPercent ? '%' : ''}`;
}

function words(code: string): string {
  return code.replace(
    /"([^"]*)"|\\(.)/g,
    (_, quoted: string | undefined, escaped: string | undefined) => quoted ?? escaped ?? '',
  );
}

const dayZeros: ReadonlySet<string> = new Set(['1899-12-30', '1899-12-31', '1904-01-01']);

/** A day, a time, or both, as a sheet shows it: a time with seconds only where its format has them. */
export function showDate(date: Date, format: string | null): string {
  const [day = '', time = ''] = new Date(Math.round(date.getTime() / 1000) * 1000).toISOString().split('T');
  const code = (format ?? 's').replace(/"[^"]*"|\[[^\]]*\]/g, '');
  const withSeconds = /s/i.test(code);
  const shown = time.slice(0, withSeconds ? 8 : 5);
  if (dayZeros.has(day)) return shown;
  return time.startsWith('00:00:00') ? day : `${day} ${shown}`;
}
