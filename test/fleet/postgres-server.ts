import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import process from 'node:process';
import { promisify } from 'node:util';
import pg from 'pg';
import { onTestFinished } from 'vitest';

const run = promisify(execFile);

export interface FleetDatabase {
  readonly url: string;
  /** As after a power cut: nothing is said to anybody, and what was committed is there. */
  restart(): Promise<void>;
}

/** A database of its own on the server of the tests, which `test/with-postgres.sh` started on this machine. */
export async function fleetDatabase(serverUrl: string): Promise<FleetDatabase> {
  const name = `fleet_${randomBytes(6).toString('hex')}`;
  await asked(serverUrl, `create database ${name}`);
  onTestFinished(async () => {
    await asked(serverUrl, `drop database ${name} with (force)`);
  });
  return {
    url: Object.assign(new URL(serverUrl), { pathname: `/${name}` }).toString(),
    async restart() {
      const folder = await asked(serverUrl, 'show data_directory');
      const programs = await asked(serverUrl, `select setting from pg_config where name = 'BINDIR'`);
      const command = [`${programs}/pg_ctl`, '-D', folder, '-w', '-m', 'immediate', '-l', '/dev/null', 'restart'];
      // It refuses to run as root.
      const [file = '', ...args] = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--', ...command] : command;
      // The server is not this test's: it is given nothing of its surroundings.
      await run(file, args, { cwd: '/', env: { PATH: process.env.PATH }, timeout: 60_000 });
    },
  };
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
