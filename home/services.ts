import { closeSync, openSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { startTimeOf } from '../processes/start-time.js';

/** The first two are processes of their own; events are received in one of the home's workers. */
export type PartName = 'temporal' | 'studio' | 'webhooks' | 'studio webhooks';

/** A part of the home, and the process that it runs in. */
export interface Part {
  readonly name: PartName;
  readonly pid: number;
  readonly port: number;
}

/**
 * What runs in a home: its parts and the commands that use them. Two small SQLite files, since their locks end with the
 * process that held them, whatever killed it; a lock file would survive a crash. One is only locked, so that what is
 * written to the other is committed at once, and stays known whatever ends the rest.
 */
export interface Parts {
  /** Runs `work` while no other process may start or stop a part of this home. What it records stays, even if it fails. */
  exclusively<T>(work: (home: PartsOfHome) => Promise<T>): Promise<T>;
  /** The part, if its process is alive. */
  running(name: PartName): Part | null;
  /** The processes that use the home's parts. */
  users(): readonly number[];
  close(): void;
}

export interface PartsOfHome {
  /** The last known part of that name, and whether its process is alive. */
  find(name: PartName): { readonly part: Part; readonly alive: boolean } | null;
  record(part: Part): void;
  /** Records that it has no process any more; its port stays known. */
  release(name: PartName): void;
  join(pid: number): void;
  /** Leaves, and returns how many living processes still use the home's parts. */
  leave(pid: number): number;
}

const lockPatienceMs = 60_000;

export async function openParts(home: string): Promise<Parts> {
  await mkdir(home, { recursive: true });
  for (const name of ['parts.db', 'parts.lock']) closeSync(openSync(join(home, name), 'a', 0o600));
  const db = new Database(join(home, 'parts.db'), { timeout: lockPatienceMs });
  const lock = new Database(join(home, 'parts.lock'), { timeout: 0 });
  await waitForLock(() => db.pragma('journal_mode = WAL'));
  await waitForLock(() =>
    db.exec(`CREATE TABLE IF NOT EXISTS parts (name TEXT PRIMARY KEY, pid INTEGER NOT NULL, born TEXT NOT NULL, port INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS users (pid INTEGER PRIMARY KEY, born TEXT NOT NULL)`),
  );
  const partsOfHome = inside(db);
  return {
    async exclusively(work) {
      await waitForLock(() => lock.exec('BEGIN EXCLUSIVE'));
      try {
        return await work(partsOfHome);
      } finally {
        lock.exec('ROLLBACK');
      }
    },
    running(name) {
      const found = partsOfHome.find(name);
      return found?.alive ? found.part : null;
    },
    users: () => livingUsers(db),
    close() {
      db.close();
      lock.close();
    },
  };
}

function inside(db: Database.Database): PartsOfHome {
  return {
    find(name) {
      const row = db.prepare('SELECT name, pid, born, port FROM parts WHERE name = ?').get(name) as
        | { name: PartName; pid: number; born: string; port: number }
        | undefined;
      if (!row) return null;
      return { part: { name, pid: row.pid, port: row.port }, alive: startTimeOf(row.pid) === row.born };
    },
    record: ({ name, pid, port }) =>
      void db.prepare('INSERT OR REPLACE INTO parts VALUES (?, ?, ?, ?)').run(name, pid, startTimeOf(pid) ?? '', port),
    release: (name) => void db.prepare("UPDATE parts SET born = '' WHERE name = ?").run(name),
    join: (pid) => void db.prepare('INSERT OR REPLACE INTO users VALUES (?, ?)').run(pid, startTimeOf(pid) ?? ''),
    leave(pid) {
      db.prepare('DELETE FROM users WHERE pid = ?').run(pid);
      return livingUsers(db).length;
    },
  };
}

function livingUsers(db: Database.Database): readonly number[] {
  const users = db.prepare('SELECT pid, born FROM users').all() as { pid: number; born: string }[];
  return users.filter(({ pid, born }) => startTimeOf(pid) === born).map(({ pid }) => pid);
}

async function waitForLock(attempt: () => unknown): Promise<void> {
  const endsAt = performance.now() + lockPatienceMs;
  for (;;) {
    try {
      attempt();
      return;
    } catch (error) {
      const busy = error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
      if (!busy || performance.now() > endsAt) throw error;
    }
    await sleep(50);
  }
}
