import { z } from 'zod';
import type { Money } from '../../../domain/money.js';
import { plainAmount } from '../../../reports/csv-line.js';

export const Amount = z.strictObject({
  amount_minor: z.int().meta({ description: 'In the minor unit of the currency: cents, yen, fils' }),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .meta({ description: 'ISO 4217' }),
  decimal: z
    .string()
    .regex(/^-?\d+(\.\d+)?$/)
    .meta({ description: 'The same amount in whole units, as a decimal' }),
});

export function amountJson(money: Money): z.output<typeof Amount> {
  return { amount_minor: money.amountMinor, currency: money.currency, decimal: plainAmount(money) };
}
