/**
 * Money as people read and write it. Amounts are integers of a currency's minor unit, by the exponents of ISO 4217
 * (list one); `Intl` goes by the habits of cash instead and would drop the decimals of HUF and IDR.
 */
const exponents: ReadonlyMap<string, number> = new Map([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
  ...'CLF UYW'.split(' ').map((code) => [code, 4] as const),
]);

/** Decimals of a currency's minor unit: 2 unless ISO 4217 says otherwise. */
export function currencyDecimals(currency: string): number {
  return exponents.get(currency) ?? 2;
}

/** As `1,234.50`: an amount without its currency, for a column whose currency is said once. */
export function formatAmount(amountMinor: number, currency: string): string {
  const decimals = currencyDecimals(currency);
  const digits = String(Math.abs(amountMinor)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ',');
  const sign = amountMinor < 0 ? '-' : '';
  return decimals === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-decimals)}`;
}

/** As `1,234.50 USD`. */
export function formatMoney(amountMinor: number, currency: string): string {
  return `${formatAmount(amountMinor, currency)} ${currency}`;
}

/** As `1234.50`, for files that programs read. */
export function plainAmount(amountMinor: number, currency: string): string {
  return formatAmount(amountMinor, currency).replaceAll(',', '');
}

/**
 * Reads an amount that a person wrote: `390`, `390.00`, `1,234.5`.
 *
 * @returns minor units, or null when it is no amount of that currency: another grouping, too many decimals, a sign.
 */
export function parseAmount(text: string, currency: string): number | null {
  const match = /^(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d+))?$/.exec(text.trim());
  const decimals = currencyDecimals(currency);
  const fraction = match?.[2] ?? '';
  if (!match || fraction.length > decimals) return null;
  const amountMinor = Number(`${match[1]?.replaceAll(',', '')}${fraction.padEnd(decimals, '0')}`);
  return Number.isSafeInteger(amountMinor) ? amountMinor : null;
}

/** Reads an amount with its currency: `500USD`, `500.00 USD`. */
export function parseMoney(text: string): { readonly amountMinor: number; readonly currency: string } | null {
  const match = /^([\d.,]+)\s*([A-Za-z]{3})$/.exec(text.trim());
  if (!match) return null;
  const currency = (match[2] ?? '').toUpperCase();
  const amountMinor = parseAmount(match[1] ?? '', currency);
  return amountMinor === null ? null : { amountMinor, currency };
}
