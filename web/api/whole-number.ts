import { z } from 'zod';

/** A whole number in a query: digits and nothing else. */
export function wholeNumber(minimum: number, maximum: number) {
  return z
    .string()
    .regex(/^\d{1,9}$/, 'it must be a whole number')
    .transform(Number)
    .pipe(z.int().min(minimum).max(maximum));
}
