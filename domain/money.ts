/** An amount in the minor units of an ISO 4217 currency: 1.50 USD is 150, 150 JPY is 150. Never a fraction. */
export interface Money {
  readonly amountMinor: number;
  readonly currency: string;
}

const usualDecimals = 2;
/** ISO 4217, table A.1: the currencies whose minor unit is not a hundredth. */
const otherDecimals: ReadonlyMap<string, number> = new Map(
  Object.entries({
    0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
    3: 'BHD IQD JOD KWD LYD OMR TND',
    4: 'CLF UYW',
  }).flatMap(([decimals, currencies]) => currencies.split(' ').map((code) => [code, Number(decimals)] as const)),
);

let known: ReadonlySet<string> | undefined;

/** Whether it is a code of ISO 4217, in capitals: by the list of the machine's own Intl, and the table above. */
export function isCurrency(code: string): boolean {
  known ??= new Set([...Intl.supportedValuesOf('currency'), ...otherDecimals.keys()]);
  return known.has(code);
}

/** How many digits a currency has after the point. */
export function currencyDecimals(currency: string): number {
  return otherDecimals.get(currency) ?? usualDecimals;
}

/** `1,234.50 USD`, `-3 JPY`, `0.125 BHD`: the one way in which money is printed. */
export function formatMoney({ amountMinor, currency }: Money): string {
  return `${formatAmount({ amountMinor, currency })} ${currency}`;
}

/** The number alone, where its column names the currency. */
export function formatAmount({ amountMinor, currency }: Money): string {
  const decimals = currencyDecimals(currency);
  const digits = String(Math.abs(amountMinor)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ',');
  const sign = amountMinor < 0 ? '-' : '';
  return decimals === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-decimals)}`;
}

/**
 * Reads what a person types: `500USD`, `1,234.50 USD`, `12 jpy`.
 *
 * @returns null when it is no amount of money: no currency of ISO 4217, more decimals than the currency has, a comma that groups
 * no thousands, a sign, or more than can be counted exactly.
 */
export function parseMoney(text: string): Money | null {
  const match = /^(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?\s*([A-Za-z]{3})$/.exec(text.trim());
  if (!match) return null;
  const [, whole = '', fraction = '', code = ''] = match;
  const currency = code.toUpperCase();
  const decimals = currencyDecimals(currency);
  if (!isCurrency(currency) || fraction.length > decimals) return null;
  const amountMinor = Number(whole.replaceAll(',', '') + fraction.padEnd(decimals, '0'));
  return Number.isSafeInteger(amountMinor) ? { amountMinor, currency } : null;
}

/** Why a text is not an amount of money, for whoever typed it; null when it is one. */
export function moneyProblem(text: string): string | null {
  if (parseMoney(text)) return null;
  const [, number = '', code = ''] = /^([\d.,]+)\s*([A-Za-z]{3})?$/.exec(text.trim()) ?? [];
  if (number === '') return 'It must be an amount with its currency, e.g. 500USD.';
  if (code === '') return 'It must name its currency, e.g. 500USD.';
  const currency = code.toUpperCase();
  if (!isCurrency(currency)) return `${currency} is not a currency code of ISO 4217, e.g. USD, EUR or JPY.`;
  const decimals = currencyDecimals(currency);
  return `It must be an amount in ${currency}, which has ${decimals} ${decimals === 1 ? 'decimal' : 'decimals'}, e.g. 500${currency}.`;
}
