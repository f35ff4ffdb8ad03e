import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresDialect,
  PostgresDriver,
  type PostgresPool,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import { askPostgresTime, type TimeOfServer } from './database-clock.js';
import { CommitUncertainError, type Outage } from './outage.js';
import { isConnectionLost, reasonOf } from './postgres.js';

/**
 * Kysely's PostgreSQL dialect over connections that may be lost: a new one is waited for, and a read outside of any
 * transaction is made again on it. A transaction is not: whoever began it has to begin it anew.
 */
export function createPostgresDialect(options: { readonly pool: PostgresPool; readonly outage: Outage }): Dialect {
  const dialect = new PostgresDialect({ pool: options.pool });
  return {
    createAdapter: () => dialect.createAdapter(),
    createDriver: () => new ReconnectingDriver(options),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  };
}

const beginWithTime = CompiledQuery.raw(`begin; ${askPostgresTime}`);

class ReconnectingDriver implements Driver {
  readonly #inner: PostgresDriver;
  readonly #outage: Outage;

  constructor({ pool, outage }: { readonly pool: PostgresPool; readonly outage: Outage }) {
    this.#inner = new PostgresDriver({ pool });
    this.#outage = outage;
  }

  init(): Promise<void> {
    return this.#inner.init();
  }

  async acquireConnection(): Promise<ReconnectingConnection> {
    return new ReconnectingConnection(this.#inner, this.#outage, await connect(this.#inner, this.#outage));
  }

  async beginTransaction(connection: ReconnectingConnection, settings: TransactionSettings): Promise<void> {
    connection.inTransaction = true;
    // A connection that died unnoticed in the pool is found out here, before anything was done.
    for (;;) {
      try {
        return await this.#begin(connection, settings);
      } catch (error) {
        if (!isConnectionLost(error)) throw error;
        await connection.replace();
      }
    }
  }

  /** What most transactions ask first comes with their begin: the time. */
  async #begin(connection: ReconnectingConnection, settings: TransactionSettings): Promise<void> {
    if (settings.isolationLevel || settings.accessMode) {
      return this.#inner.beginTransaction(connection.current, settings);
    }
    const { rows } = await connection.current.executeQuery<TimeOfServer>(beginWithTime);
    connection.begunAt = rows[0];
  }

  async commitTransaction(connection: ReconnectingConnection): Promise<void> {
    try {
      await this.#inner.commitTransaction(connection.current);
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
      throw new CommitUncertainError(
        `Cannot tell whether it was recorded: the connection to the ledger ended at that moment (${reasonOf(error)}); look before it is repeated`,
        { cause: error },
      );
    }
  }

  async rollbackTransaction(connection: ReconnectingConnection): Promise<void> {
    try {
      await this.#inner.rollbackTransaction(connection.current);
    } catch (error) {
      if (!isConnectionLost(error)) throw error; // with its connection the server has undone it
    }
  }

  releaseConnection(connection: ReconnectingConnection): Promise<void> {
    return connection.release();
  }

  destroy(): Promise<void> {
    return this.#inner.destroy();
  }
}

/** What the driver takes, and gives as something wider. */
type PostgresConnection = Parameters<PostgresDriver['releaseConnection']>[0];

async function connect(driver: PostgresDriver, outage: Outage): Promise<PostgresConnection> {
  for (;;) {
    try {
      const connection = await driver.acquireConnection();
      outage.over();
      return connection as PostgresConnection;
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
      await outage.wait(reasonOf(error), error);
    }
  }
}

class ReconnectingConnection implements DatabaseConnection {
  readonly #driver: PostgresDriver;
  readonly #outage: Outage;
  current: PostgresConnection;
  inTransaction = false;
  /** Until the first query of the transaction, whatever it is. */
  begunAt: TimeOfServer | undefined;
  #released = false;

  constructor(driver: PostgresDriver, outage: Outage, current: PostgresConnection) {
    this.#driver = driver;
    this.#outage = outage;
    this.current = current;
  }

  /** The pool forgets a connection that is lost, and gives another one. */
  async replace(): Promise<void> {
    await this.release();
    this.current = await connect(this.#driver, this.#outage);
    this.#released = false;
  }

  /** Once: nothing is left to be given back where a replacement was waited for in vain. */
  async release(): Promise<void> {
    if (this.#released) return;
    this.#released = true;
    await this.#driver.releaseConnection(this.current);
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { begunAt } = this;
    this.begunAt = undefined;
    if (begunAt && query.sql === askPostgresTime) return { rows: [begunAt as Row] }; // what that query answers
    for (;;) {
      try {
        return await this.current.executeQuery<Row>(query);
      } catch (error) {
        const repeatable = !this.inTransaction && query.query.kind === 'SelectQueryNode';
        if (!repeatable || !isConnectionLost(error)) throw error;
        await this.replace();
      }
    }
  }

  // oxlint-disable-next-line require-yield -- part of the interface, never called: pages are read by key
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Cannot stream a query: the ledger reads by pages');
  }
}
