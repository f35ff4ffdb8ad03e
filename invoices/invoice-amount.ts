import { currencyDecimals, isCurrency, type Money } from '../domain/money.js';

/** An amount, or what is wrong with the text that should be one. */
export type ReadAmount = Money | { readonly wrong: string };

/**
 * Reads an amount as accounting programs write it: `1234.50`, `1,234.50`, `1.234,50`, `1 234,50`, `1'234.50`, with its
 * currency before or after it if the invoice has no column for that. `-1.50`, `1.50-` and `(1.50)` are credits.
 * Nothing is rounded, and an amount that could be read in two ways is refused.
 *
 * @param column what the invoice's currency column says; empty without one
 */
export function readInvoiceAmount(text: string, column: string): ReadAmount {
  // NFKC turns full-width digits and the blanks between groups of digits into plain ones.
  const written = text
    .normalize('NFKC')
    .replace(/[\u2212\u2012\u2013]/g, '-')
    .trim();
  if (written === '') return { wrong: 'there is no amount' };
  const [, before = '', number = '', after = ''] = /^([A-Za-z]{3})?\s*(.*?)\s*([A-Za-z]{3})?$/.exec(written) ?? [];
  const currency = currencyOf(before || after, column.normalize('NFKC').trim());
  if (typeof currency !== 'string') return currency;
  const { negative, digits } = signOf(number.replace(/\p{Sc}/gu, '').trim());
  const amountMinor = minorOf(digits, currency);
  if (typeof amountMinor !== 'number') return amountMinor;
  return { amountMinor: negative && amountMinor !== 0 ? -amountMinor : amountMinor, currency };
}

function currencyOf(inCell: string, inColumn: string): string | { readonly wrong: string } {
  const code = (inColumn || inCell).toUpperCase();
  if (code === '') return { wrong: 'no currency: add a column currency, or write e.g. 1.50 USD' };
  if (!isCurrency(code)) return { wrong: `"${inColumn}" is not a currency; write its three letters, e.g. USD` };
  if (inCell !== '' && inCell.toUpperCase() !== code) return { wrong: `it is in ${inCell} and its row says ${code}` };
  return code;
}

function signOf(number: string): { readonly negative: boolean; readonly digits: string } {
  const [, inBrackets] = /^\((.*)\)$/.exec(number) ?? [];
  if (inBrackets !== undefined) return { negative: true, digits: inBrackets.trim() };
  const [, front, digits = '', back] = /^([-+])?\s*(.*?)\s*(-)?$/.exec(number) ?? [];
  return { negative: front === '-' || back === '-', digits };
}

/** The amount in minor units. */
function minorOf(digits: string, currency: string): number | { readonly wrong: string } {
  const decimals = currencyDecimals(currency);
  const marks = [...new Set(digits.replace(/\d/g, ''))];
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  const mark = digits[last] ?? '';
  const isDecimal = mark !== '' && digits.indexOf(mark) === last && !/[ '’]/.test(digits.slice(last));
  const whole = isDecimal ? digits.slice(0, last) : digits;
  const fraction = isDecimal ? digits.slice(last + 1) : '';
  if (
    !/^\d+$|^\d{1,3}(?:([.,'’ ])\d{3})(?:\1\d{3})*$/.test(whole) ||
    !/^\d*$/.test(fraction) ||
    (isDecimal && fraction === '')
  ) {
    return { wrong: `"${digits}" is not an amount; write e.g. 1234.50` };
  }
  const isGrouped = marks.length === 1 && isDecimal && fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole);
  if (isGrouped && !(mark === '.' && decimals >= 3)) {
    return { wrong: `"${digits}" can be read in two ways; write it without a mark between thousands` };
  }
  const kept = fraction.replace(/0+$/, '');
  if (kept.length > decimals) {
    return { wrong: `"${digits}" has more decimals than ${currency} has (${decimals}); nothing is rounded` };
  }
  const amountMinor = Number(whole.replace(/\D/g, '') + kept.padEnd(decimals, '0'));
  return Number.isSafeInteger(amountMinor) ? amountMinor : { wrong: `"${digits}" is more than can be counted exactly` };
}
