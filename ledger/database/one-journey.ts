import { type ConnectionProvider, type Dialect, Transaction } from 'kysely';
import type { Tx } from '../ledger.js';
import type { Tables } from './tables.js';

/**
 * The same transaction, whose queries leave for the server in the order in which they are asked for, none of them
 * waiting for the answer to the one before: Kysely's own sends the next one when the last one is answered.
 */
export function pipelining(dialect: Dialect): <T>(tx: Tx, work: (tx: Tx) => Promise<T>) => Promise<T> {
  // The driver is asked for by the constructor, and begins no transaction.
  const ofDatabase = { config: { dialect }, dialect, driver: dialect.createDriver() };
  return (tx, work) => {
    const executor = tx.getExecutor();
    return executor.provideConnection((connection) => {
      const provider: ConnectionProvider = { provideConnection: (consumer) => consumer(connection) };
      return work(new Transaction<Tables>({ ...ofDatabase, executor: executor.withConnectionProvider(provider) }));
    });
  };
}

/**
 * Queries of one transaction that do not need each other's answers: on PostgreSQL they make one journey to the server,
 * which works on them in this order. All have ended when this returns, so nothing is still to come when it throws and
 * the transaction is undone.
 *
 * @throws what the first of them threw that was refused; those after it fail for its sake.
 */
export async function inOneJourney<const Queries extends readonly Promise<unknown>[]>(
  queries: Queries,
): Promise<{ readonly [Index in keyof Queries]: Awaited<Queries[Index]> }> {
  const ended = await Promise.allSettled(queries);
  const refused = ended.find((each) => each.status === 'rejected');
  if (refused) throw refused.reason;
  const answers = ended.map((each) => (each.status === 'fulfilled' ? each.value : undefined));
  return answers as { readonly [Index in keyof Queries]: Awaited<Queries[Index]> }; // one for each query
}
