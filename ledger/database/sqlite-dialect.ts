import type Database from 'better-sqlite3';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TransactionSettings,
} from 'kysely';

export interface SqliteDialectOptions {
  readonly database: Database.Database;
  /** Whether the next transaction is on disk (fsync) when its commit returns, or may be lost to a power cut. */
  readonly durable: () => boolean;
  /** Resolves when the database's file is where it was opened; asked before each transaction. */
  readonly inPlace?: () => Promise<void>;
}

/**
 * Kysely's SQLite dialect with three differences. A transaction takes the write lock when it begins, unless it only
 * reads: one that reads first and then writes fails half the time when several processes do so. Statements are prepared once. And
 * migrations run in a transaction, which SQLite supports and two processes that open one new file need.
 */
export function createSqliteDialect(options: SqliteDialectOptions): Dialect {
  return {
    createAdapter: () => new TransactionalAdapter(),
    createDriver: () => new ImmediateDriver(options),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class ImmediateDriver implements Driver {
  readonly #options: SqliteDialectOptions;
  readonly #connection: PreparingConnection;
  /** Resolves when the one connection is free. */
  #free: Promise<void> = Promise.resolve();
  #release: () => void = () => undefined;

  constructor(options: SqliteDialectOptions) {
    this.#options = options;
    this.#connection = new PreparingConnection(options.database);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#free;
    let release: () => void = () => undefined;
    this.#free = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    this.#release = release;
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    this.#release();
  }

  async beginTransaction(_: DatabaseConnection, { accessMode }: TransactionSettings): Promise<void> {
    const { database, durable, inPlace } = this.#options;
    await inPlace?.();
    if (accessMode === 'read only') {
      await this.#connection.executeQuery(CompiledQuery.raw('begin'));
      return;
    }
    database.pragma(`synchronous = ${durable() ? 'FULL' : 'NORMAL'}`);
    await this.#connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  async commitTransaction(): Promise<void> {
    await this.#connection.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction(): Promise<void> {
    // A full disk ends the transaction by itself.
    if (this.#options.database.inTransaction) await this.#connection.executeQuery(CompiledQuery.raw('rollback'));
  }

  async destroy(): Promise<void> {
    this.#options.database.close();
  }
}

/** More texts than the ledger's queries have; a bound for those whose length follows their parameters. */
const maxPrepared = 400;

class PreparingConnection implements DatabaseConnection {
  readonly #database: Database.Database;
  readonly #statements = new Map<string, Database.Statement>();

  constructor(database: Database.Database) {
    this.#database = database;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const statement = this.#prepared(sql);
    if (statement.reader) return { rows: statement.all(parameters) as Row[] }; // the query's own type, by kysely
    const { changes, lastInsertRowid } = statement.run(parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  // oxlint-disable-next-line require-yield -- part of the interface, never called: pages are read by key
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Cannot stream a query: the ledger reads by pages');
  }

  #prepared(sql: string): Database.Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    if (this.#statements.size >= maxPrepared) this.#statements.clear();
    this.#statements.set(sql, statement);
    return statement;
  }
}
