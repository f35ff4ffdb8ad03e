import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { currencyDecimals, formatAmount, formatMoney, parseMoney } from '../../domain/money.js';

describe('money', () => {
  test.each([
    [123_450, 'USD', '1,234.50 USD'],
    [0, 'USD', '0.00 USD'],
    [5, 'USD', '0.05 USD'],
    [-5, 'EUR', '-0.05 EUR'],
    [-123_456_789, 'USD', '-1,234,567.89 USD'],
    [1_234, 'JPY', '1,234 JPY'],
    [0, 'JPY', '0 JPY'],
    [1_234, 'BHD', '1.234 BHD'],
    [12_345_678, 'CLF', '1,234.5678 CLF'],
    [100_000, 'USD', '1,000.00 USD'],
  ])('%d of %s prints as %s', (amountMinor, currency, text) => {
    expect(formatMoney({ amountMinor, currency })).toBe(text);
  });

  test('an amount alone has the decimals of its currency', () => {
    expect(formatAmount({ amountMinor: 321_00, currency: 'USD' })).toBe('321.00');
  });

  test.each([
    ['500USD', 500_00, 'USD'],
    ['500 usd', 500_00, 'USD'],
    ['1,234.5 USD', 1_234_50, 'USD'],
    [' 12.34eur ', 12_34, 'EUR'],
    ['1500JPY', 1_500, 'JPY'],
    ['1.5 BHD', 1_500, 'BHD'],
    ['0USD', 0, 'USD'],
  ])('"%s" is read as %d %s', (text, amountMinor, currency) => {
    expect(parseMoney(text)).toEqual({ amountMinor, currency });
  });

  test.each([
    '500',
    'USD',
    '5.005USD',
    '1.5JPY',
    '1,23USD',
    '-5USD',
    '+5USD',
    '1e3USD',
    '1_000USD',
    '99999999999999USD',
    '',
  ])('"%s" is no amount of money', (text) => {
    expect(parseMoney(text)).toBeNull();
  });

  test('what is printed is read back to the unit, in every currency', () => {
    const currency = fc.constantFrom('USD', 'EUR', 'JPY', 'BHD', 'CLF', 'XPF', 'TND');
    fc.assert(
      fc.property(fc.nat({ max: 2 ** 50 }), currency, (amountMinor, code) => {
        expect(parseMoney(formatMoney({ amountMinor, currency: code }))).toEqual({ amountMinor, currency: code });
      }),
    );
  });

  test('decimals follow ISO 4217, not the country', () => {
    expect(['USD', 'JPY', 'KWD', 'CLF', 'HUF', 'IQD', 'ISK'].map(currencyDecimals)).toEqual([2, 0, 3, 4, 2, 3, 0]);
  });
});
