import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { currencyDecimals } from '../../domain/money.js';
import { readInvoiceAmount } from '../../invoices/invoice-amount.js';

describe('an amount of an invoice', () => {
  test.each([
    ['1234.50', 'USD', 123_450],
    ['1,234.50', 'USD', 123_450],
    ['1.234,50', 'EUR', 123_450],
    ['1 234,50', 'EUR', 123_450],
    ['1\u202f234,50', 'EUR', 123_450],
    ["1'234.50", 'CHF', 123_450],
    ['1.234.567', 'EUR', 123_456_700],
    ['1.5', 'USD', 150],
    ['1,5', 'EUR', 150],
    ['3.5000', 'USD', 350],
    ['12', 'JPY', 12],
    ['0.125', 'BHD', 125],
    ['1.125', 'BHD', 1_125],
    ['-1.50', 'USD', -150],
    ['\u22121.50', 'USD', -150],
    ['1.50-', 'USD', -150],
    ['(1.50)', 'USD', -150],
    ['+1.50', 'USD', 150],
    ['$1.50', 'USD', 150],
    ['１．５０', 'USD', 150],
    ['0', 'USD', 0],
    ['-0.00', 'USD', 0],
  ])('%j in %s is %d', (text, currency, amountMinor) => {
    expect(readInvoiceAmount(text, currency)).toEqual({ amountMinor, currency });
  });

  test.each([
    ['1.50 USD', '', { amountMinor: 150, currency: 'USD' }],
    ['USD 1.50', '', { amountMinor: 150, currency: 'USD' }],
    ['eur -1,50', '', { amountMinor: -150, currency: 'EUR' }],
    ['1.50USD', 'usd', { amountMinor: 150, currency: 'USD' }],
  ])('%j may name its currency itself', (text, column, money) => {
    expect(readInvoiceAmount(text, column)).toEqual(money);
  });

  test.each([
    ['', 'USD', 'there is no amount'],
    ['1.50', '', 'no currency'],
    ['$1.50', '', 'no currency'],
    ['1.50', 'dollars', 'not a currency'],
    ['1.50 EUR', 'USD', 'it is in EUR and its row says USD'],
    ['1,234', 'USD', 'two ways'],
    ['1.234', 'EUR', 'two ways'],
    ['1,234', 'JPY', 'two ways'],
    ['1,234', 'BHD', 'two ways'],
    ['1.505', 'USD', 'two ways'],
    ['0.0035', 'USD', 'more decimals than USD has (2)'],
    ['12.5', 'JPY', 'more decimals than JPY has (0)'],
    ['12,34,56', 'USD', 'not an amount'],
    ['1.5.0', 'USD', 'not an amount'],
    ['1e3', 'USD', 'not an amount'],
    ['.', 'USD', 'not an amount'],
    ['1.', 'USD', 'not an amount'],
    ['n/a', 'USD', 'not an amount'],
    ['90071992547409.92', 'USD', 'counted exactly'],
  ])('%j in %j is refused', (text, currency, words) => {
    expect(readInvoiceAmount(text, currency)).toMatchObject({ wrong: expect.stringContaining(words) });
  });

  test('however a country writes it, is the same amount, or is refused', () => {
    const marks = fc.constantFrom([',', '.'], ['.', ','], [' ', ','], ["'", '.'], ['', '.'], ['', ',']);
    const amounts = fc.integer({ min: -(10 ** 12), max: 10 ** 12 });
    const currencies = fc.constantFrom('USD', 'JPY', 'BHD', 'CLF');
    fc.assert(
      fc.property(amounts, currencies, marks, (amountMinor, currency, [thousands = '', point = '.']) => {
        const decimals = currencyDecimals(currency);
        const digits = String(Math.abs(amountMinor)).padStart(decimals + 1, '0');
        const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, thousands);
        const text = (amountMinor < 0 ? '-' : '') + whole + (decimals === 0 ? '' : point + digits.slice(-decimals));
        const read = readInvoiceAmount(text, currency);
        if (!('wrong' in read)) expect(read).toEqual({ amountMinor, currency });
        else expect(read.wrong).toContain('two ways');
      }),
    );
  });
});
