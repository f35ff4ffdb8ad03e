import { randomBytes } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';

/** Everything the studio remembers: one SQLite file, and the folders of the files it names. */
export interface Store {
  readonly db: Database.Database;
  /** Bytes of uploaded references, by reference id. */
  readonly referencesFolder: string;
  /** Uploads that have not ended; emptied at each start. */
  readonly incomingFolder: string;
  /** Finished films; a folder per render. */
  readonly filmsFolder: string;
  /** Generated once: signs asset URLs, and deliveries unless a secret is configured. */
  readonly secret: Buffer;
  close(): void;
}

const schema = `
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS movies (
  serial INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  key_hash TEXT NOT NULL,
  request_id TEXT NOT NULL,
  idempotency_key TEXT,
  body_digest TEXT NOT NULL,
  request TEXT NOT NULL,
  credits INTEGER NOT NULL,
  amount_minor INTEGER NOT NULL,
  currency TEXT NOT NULL,
  preset TEXT NOT NULL,
  job_ms INTEGER,
  quirks TEXT,
  created_ms INTEGER NOT NULL,
  status TEXT NOT NULL,
  percent INTEGER NOT NULL,
  updated_ms INTEGER NOT NULL,
  ended_ms INTEGER,
  error_code TEXT,
  error_message TEXT
) STRICT;
CREATE INDEX IF NOT EXISTS movies_to_render ON movies (serial) WHERE job_ms IS NULL AND ended_ms IS NULL;
CREATE TABLE IF NOT EXISTS idempotency (
  key_hash TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  movie_id TEXT NOT NULL,
  request TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  PRIMARY KEY (key_hash, idempotency_key)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS "references" (
  id TEXT PRIMARY KEY,
  key_hash TEXT NOT NULL,
  role TEXT NOT NULL,
  description TEXT,
  mime_type TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  created_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS assets (
  id TEXT PRIMARY KEY,
  movie_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  type TEXT NOT NULL,
  file TEXT NOT NULL,
  mime_type TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  width INTEGER,
  height INTEGER,
  duration_seconds REAL,
  created_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS assets_of_movie ON assets (movie_id, position);
CREATE TABLE IF NOT EXISTS requests (
  serial INTEGER PRIMARY KEY,
  at_ms INTEGER NOT NULL,
  request_id TEXT NOT NULL,
  operation TEXT NOT NULL,
  key_hash TEXT,
  idempotency_key TEXT,
  body_digest TEXT,
  movie_id TEXT,
  status INTEGER,
  fault TEXT
) STRICT;
CREATE TABLE IF NOT EXISTS deliveries (
  serial INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  movie_id TEXT NOT NULL,
  type TEXT NOT NULL,
  url TEXT NOT NULL,
  body TEXT NOT NULL,
  forged INTEGER NOT NULL,
  due_ms INTEGER NOT NULL,
  first_ms INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  state TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS deliveries_due ON deliveries (due_ms) WHERE state = 'waiting';
CREATE INDEX IF NOT EXISTS deliveries_of_movie ON deliveries (movie_id);
`;

/**
 * Opens the data folder and locks it for this process until it closes or dies.
 *
 * @throws Error when another studio has it open.
 */
export async function openStore(dataFolder: string): Promise<Store> {
  const [referencesFolder, incomingFolder, filmsFolder] = ['references', 'incoming', 'films'].map((name) =>
    join(dataFolder, name),
  ) as [string, string, string];
  await mkdir(dataFolder, { recursive: true });
  const db = openDatabase(dataFolder);
  await rm(incomingFolder, { recursive: true, force: true });
  for (const folder of [referencesFolder, incomingFolder, filmsFolder]) await mkdir(folder, { recursive: true });
  return { db, referencesFolder, incomingFolder, filmsFolder, secret: ownSecret(db), close: () => db.close() };
}

function openDatabase(dataFolder: string): Database.Database {
  const path = join(dataFolder, 'studio.db');
  // Readable by its owner only, like the files that SQLite puts next to it: prompts are in it.
  closeSync(openSync(path, 'a', 0o600));
  const db = new Database(path, { timeout: 0 });
  try {
    // Exclusive: two studios on one folder would render and deliver everything twice. The lock dies with the process.
    db.pragma('locking_mode = EXCLUSIVE');
    db.pragma('journal_mode = WAL');
    db.exec(schema);
    return db;
  } catch (error) {
    db.close();
    if (!(error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY'))) throw error;
    throw new Error(
      `Cannot open the studio's data in ${dataFolder}: another studio has it open, give this one its own`,
      {
        cause: error,
      },
    );
  }
}

function ownSecret(db: Database.Database): Buffer {
  db.prepare("INSERT OR IGNORE INTO settings VALUES ('secret', ?)").run(randomBytes(32));
  return db.prepare("SELECT value FROM settings WHERE name = 'secret'").pluck().get() as Buffer;
}
