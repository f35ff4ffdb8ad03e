import { format as formatNumber, getFormatDateInfo } from 'numfmt';
import { withEra } from './era-date.js';

export interface ShownNumber {
  /** What a person sees in the cell. */
  readonly text: string;
  /** Its time of day, e.g. `16:09` or `16:09:30`, if it is shown as a time or a date and has no day. */
  readonly clock: string | null;
  /** Whether it is formatted as a date or a time that does not exist: a spreadsheet shows a row of # signs. */
  readonly isImpossible: boolean;
}

/** The last day of spreadsheet calendars, the last of 9999, counted from the day before the first of 1900. */
const lastDay = 2_958_465;
/** Days between the starts of the two ways to count. */
const daysTo1904 = 1462;

/**
 * Formats a number.
 *
 * @param code the format; null for none
 * @param is1904 whether the workbook counts its days from 1904
 */
export function showNumber(value: number, code: string | null, is1904 = false): ShownNumber {
  if (code === null) return plain(plainNumber(value));
  const { hasDay, hasTime } = kindOf(code);
  if (!hasDay && !hasTime) return plain(formatted(value, code));
  const clock = value >= 0 && value < 1 ? clockOf(value) : null;
  // Hours and minutes since the start (`[h]:mm`) have no calendar.
  const serial = is1904 && hasDay ? value + daysTo1904 : value;
  if (value < 0 || (hasDay && serial >= lastDay + 1)) {
    return { text: plainNumber(value), clock: null, isImpossible: true };
  }
  if (clock !== null && !hasTime) return { text: clock, clock, isImpossible: false };
  return { text: formatted(serial, withEra(code, dateOf(serial))), clock, isImpossible: false };
}

function plain(text: string): ShownNumber {
  return { text, clock: null, isImpossible: false };
}

/** The digits that spreadsheets show: 8.000000000000002 is the 8 of a sum that computers cannot do exactly. */
const digits = 15;

function plainNumber(value: number): string {
  return String(Number.isInteger(value) ? value : Number(value.toPrecision(digits)));
}

const kinds = new Map<string, { readonly hasDay: boolean; readonly hasTime: boolean }>();

function kindOf(code: string) {
  const known = kinds.get(code);
  if (known) return known;
  const kind = readKind(code);
  if (kinds.size < maxKinds) kinds.set(code, kind);
  return kind;
}

/** The most formats that a workbook may have. */
const maxKinds = 65_536;

function readKind(code: string) {
  try {
    const { year, month, day, hours, minutes, seconds } = getFormatDateInfo(code);
    return { hasDay: year || month || day, hasTime: hours || minutes || seconds };
  } catch {
    return { hasDay: false, hasTime: false }; // not a format: the number is shown as it is
  }
}

function formatted(value: number, code: string): string {
  try {
    const shown = formatNumber(code, value, { dateErrorThrows: true }).trim();
    // A spreadsheet shows `8.` under `0.##`, and means 8.
    return /[0#?]\.#/.test(code) ? shown.replace(/(^|\d)\.(?!\d)/, '$1') : shown;
  } catch {
    return plainNumber(value);
  }
}

/** To the second: the sixth decimal of a day is a tenth of one. */
function clockOf(value: number): string {
  const seconds = Math.round(value * 86_400) % 86_400;
  const time = new Date(seconds * 1000).toISOString().slice(11, 19);
  return time.endsWith(':00') ? time.slice(0, 5) : time;
}

/** The last day of February 1900, which spreadsheets have and no calendar has, is the 60th. */
function dateOf(serial: number): Date {
  const day = serial < 60 ? serial + 1 : serial;
  return new Date(Date.UTC(1899, 11, 30) + Math.round(day * 86_400) * 1000);
}
