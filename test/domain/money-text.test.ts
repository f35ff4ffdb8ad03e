import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatMoney, parseAmount, parseMoney, plainAmount } from '../../domain/money-text.js';

describe('money as text', () => {
  test.each([
    [123_450, 'USD', '1,234.50 USD'],
    [0, 'USD', '0.00 USD'],
    [5, 'USD', '0.05 USD'],
    [-5, 'USD', '-0.05 USD'],
    [-123_456_789, 'EUR', '-1,234,567.89 EUR'],
    [1_234, 'JPY', '1,234 JPY'],
    [0, 'JPY', '0 JPY'],
    [1_234, 'BHD', '1.234 BHD'],
    [99, 'HUF', '0.99 HUF'],
    [100_000, 'IDR', '1,000.00 IDR'],
  ])('%i of %s is %s', (amountMinor, currency, text) => {
    expect(formatMoney(amountMinor, currency)).toBe(text);
  });

  test.each(['', '-1', '1.', '.5', '1,23', '1.000,00', '1.234', '1e3', '١', '0x10', '99999999999999999'])(
    '%j is no amount of USD',
    (text) => {
      expect(parseAmount(text, 'USD')).toBeNull();
    },
  );

  test.each([
    ['500USD', { amountMinor: 50_000, currency: 'USD' }],
    [' 1,234.5 usd ', { amountMinor: 123_450, currency: 'USD' }],
    ['500JPY', { amountMinor: 500, currency: 'JPY' }],
    ['500.5JPY', null],
    ['500', null],
    ['acme/emea', null],
    ['USD500', null],
  ])('%j is read as %j', (text, money) => {
    expect(parseMoney(text)).toEqual(money);
  });

  test('what is printed is read back to the unit, in every number of decimals', () => {
    const currency = fc.constantFrom('USD', 'JPY', 'BHD', 'CLF');
    fc.assert(
      fc.property(fc.nat(2 ** 40), currency, (amountMinor, code) => {
        expect(parseMoney(formatMoney(amountMinor, code))).toEqual({ amountMinor, currency: code });
        expect(parseAmount(plainAmount(amountMinor, code), code)).toBe(amountMinor);
      }),
    );
  });
});
