import { z } from 'zod';
import { ApiProblem } from './problem.js';
import { wholeNumber } from './whole-number.js';

const mostInAPage = 500;

/** For every list: how many, and from where on. */
export const pageQuery = {
  limit: wholeNumber(1, mostInAPage).default(100).meta({ description: 'How many at most' }),
  cursor: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .meta({ description: '`next` of the page before; without one, the list from its beginning' }),
};

/** Where a page ends, as a text that says nothing to its reader. */
export function cursorAt(place: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** @throws ApiProblem for a text that no page gave. */
export function placeOf<Place>(cursor: string, schema: z.ZodType<Place>): Place {
  const parsed = schema.safeParse(jsonOf(Buffer.from(cursor, 'base64url').toString('utf8')));
  if (parsed.success) return parsed.data;
  throw new ApiProblem('invalid-request', 'Cannot use the query: cursor is not one that a page of this list gave');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Of a list in the order of a sheet. */
export const Position = z.tuple([z.int().min(0)]);
