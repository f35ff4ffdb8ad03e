import { sql } from 'kysely';

/*
 * Indexes of the rows that matter, not of all of a sheet. A database uses one only where the query itself says, with
 * the value in its text, that it asks for nothing else.
 */

/** Beside any condition on the state of `rows`: the index by state has all but those that only wait. */
export const pastPlanned = sql<boolean>`rows.state <> 'planned'`;

/** Of the rows that keep their key from being ordered elsewhere. */
export function isOpen(rows: 'rows' | 'later' | 'other' = 'rows') {
  return sql<boolean>`${sql.ref(`${rows}.open`)} = 1`;
}

/** Of the rows that were known to the books in some way when their class was found, or that are not ordered. */
export const classed = sql<boolean>`(rows.class <> 'new' or rows.ordered <> 1)`;

/** Of the rows that a plan orders, or ordered. */
export function isOrdered(rows: 'rows' | 'other' = 'rows') {
  return sql<boolean>`${sql.ref(`${rows}.ordered`)} = 1`;
}
