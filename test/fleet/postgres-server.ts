import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { createTemporalTables, type TemporalDatabases } from './temporal-cluster.js';

const run = promisify(execFile);

export interface FleetDatabase {
  readonly url: string;
  /** As after a power cut: nothing is said to anybody, and what was committed is there, so many seconds later. */
  kill(secondsAway: number): Promise<void>;
}

/** A database of its own on the server of the tests, which `test/with-postgres.sh` started on this machine. */
export async function fleetDatabase(serverUrl: string): Promise<FleetDatabase> {
  const name = await createDatabase(serverUrl);
  return {
    url: Object.assign(new URL(serverUrl), { pathname: `/${name}` }).toString(),
    async kill(secondsAway) {
      const folder = await asked(serverUrl, 'show data_directory');
      const programs = await asked(serverUrl, `select setting from pg_config where name = 'BINDIR'`);
      const control = (...args: string[]) => asPostgres([`${programs}/pg_ctl`, '-D', folder, '-w', ...args]);
      await control('-m', 'immediate', 'stop');
      await sleep(secondsAway * 1_000);
      await control('-l', '/dev/null', 'restart'); // with the options that it had
    },
  };
}

/** Two empty databases for a Temporal server, on the same server of the tests. */
export async function temporalDatabases(serverUrl: string): Promise<TemporalDatabases> {
  const { hostname: host, port, username: user } = new URL(serverUrl);
  const [main, visibility] = [await createDatabase(serverUrl), await createDatabase(serverUrl)];
  const databases = { host, port, user, main, visibility };
  await createTemporalTables(databases);
  return databases;
}

async function createDatabase(serverUrl: string): Promise<string> {
  const name = `fleet_${randomBytes(6).toString('hex')}`;
  await asked(serverUrl, `create database ${name}`);
  onTestFinished(async () => {
    await asked(serverUrl, `drop database ${name} with (force)`);
  });
  return name;
}

async function asPostgres(command: readonly string[]): Promise<void> {
  // It refuses to run as root.
  const [file = '', ...args] = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--', ...command] : command;
  // The server is not this test's: it is given nothing of its surroundings.
  await run(file, args, { cwd: '/', env: { PATH: process.env.PATH }, timeout: 60_000 });
}

async function asked(url: string, question: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(question);
    return String(Object.values(rows[0] ?? {})[0] ?? '');
  } finally {
    await client.end();
  }
}
