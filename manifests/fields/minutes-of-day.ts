/** Morning and afternoon as spreadsheets write them in the languages that have a 12-hour clock in common use. */
const halves = String.raw`a\.?\s?m\.?|p\.?\s?m\.?|上午|下午|午前|午後|오전|오후|πμ|μμ`;
const afternoon = /^(?:p|下午|午後|오후|μμ)/i;

/** The day that time-only cells carry when they are written out in full (the spreadsheet's day zero, or one). */
const dayZero = String.raw`(?:(?:1899-12-3[01]|1900-01-0[01]|1904-01-01|0?[01]/0?[01]/1900|1/0/(?:19)?00|3[01][./]12[./]1899|12/3[01]/(?:18)?99)[\sT,]+)?`;

const clock = new RegExp(
  String.raw`^${dayZero}(?:(${halves})\s*)?(\d{1,2})[:.h](\d{2})(?:[:.](\d{2})(?:[.,]0+)?)?\s*(${halves})?Z?$`,
  'i',
);

/** Finer than any display of a fraction of a day with four decimals. */
const minuteTolerance = 0.08;

/**
 * Minutes past midnight of a time of day, in any form in which a spreadsheet writes one: `16:09`, `16:09:00`,
 * `04:09:00 PM`, `0.672916666666667` (fraction of a day), `969` (a tool that reads `16:9` as base 60).
 *
 * @returns null when the text is not a time.
 */
export function minutesPastMidnight(text: string): number | null {
  return fromNumber(text) ?? fromClock(text);
}

function fromNumber(text: string): number | null {
  if (/^\d{1,4}(?:\.0+)?$/.test(text)) return Number(text);
  if (!/^(?:0?[.,]\d{4,}|\d(?:[.,]\d{2,})?e-0?[12])$/i.test(text)) return null;
  const minutes = Number(text.replace(',', '.')) * 24 * 60;
  const whole = Math.round(minutes);
  return Math.abs(minutes - whole) <= minuteTolerance ? whole : null;
}

function fromClock(text: string): number | null {
  const [matched, before, hourText, minuteText, secondText = '0', after] = clock.exec(text) ?? [];
  if (matched === undefined) return null;
  const half = before ?? after;
  const hour = Number(hourText);
  const minute = Number(minuteText) + Number(secondText) / 60;
  if (hour > 24 || minute >= 60) return null;
  if (half === undefined || hour > 12) return hour * 60 + minute;
  return ((hour % 12) + (afternoon.test(half) ? 12 : 0)) * 60 + minute;
}

const months = 'jan|feb|mar|apr|may|mai|jun|jul|aug|sep|okt|oct|nov|dez|dec';
const dates = [
  /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?:[\sT].*)?$/,
  /^\d{1,2}\.\s?\d{1,2}\.$/,
  new RegExp(String.raw`^(?:\d{1,4}[\s./-]*)?(?:${months})[a-zäéû.]*(?:[\s./-]*\d{1,4})?(?:[,\s]+\d{4})?$`, 'i'),
];

/** Whether a cell is a calendar date, e.g. `09/16/2026`, `16. Sep` or `2026-09-16 00:00:00`. */
export function looksLikeDate(text: string): boolean {
  return dates.some((date) => date.test(text));
}
