import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Ledger, type LedgerOptions, openLedger } from '../../ledger/ledger.js';

/** A kind of database that the ledger runs on; every suite of the ledger runs on each. */
export interface Databases {
  readonly name: 'SQLite' | 'PostgreSQL';
  /** A fresh, empty ledger, and its address for further processes. */
  open(seed?: LedgerOptions['seed']): Promise<{ readonly ledger: Ledger; readonly url: string }>;
  /** Closes and removes everything that was opened. */
  clear(): Promise<void>;
}

export function sqliteDatabases(): Databases {
  const opened: { readonly ledger: Ledger; readonly folder: string }[] = [];
  return {
    name: 'SQLite',
    async open(seed = {}) {
      const folder = await mkdtemp(join(tmpdir(), 'greenlight-ledger-'));
      const url = `sqlite:${join(folder, 'ledger.db')}`;
      const ledger = await openLedger({ url, seed });
      opened.push({ ledger, folder });
      return { ledger, url };
    },
    async clear() {
      for (const { ledger, folder } of opened.splice(0)) {
        await ledger.close();
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

/** @param serverUrl of a database whose server may be filled with others. */
export function postgresDatabases(serverUrl: string): Databases {
  const opened: { readonly ledger: Ledger; readonly name: string }[] = [];
  let template: Promise<string> | undefined;
  return {
    name: 'PostgreSQL',
    async open(seed = {}) {
      template ??= createTemplate(serverUrl);
      const name = `ledger_${randomBytes(6).toString('hex')}`;
      await administer(serverUrl, `create database ${name} template ${await template}`);
      const url = databaseUrl(serverUrl, name);
      const ledger = await openLedger({ url });
      if (Object.keys(seed).length > 0) await applySeed(ledger, seed);
      opened.push({ ledger, name });
      return { ledger, url };
    },
    async clear() {
      for (const { ledger, name } of opened.splice(0)) {
        await ledger.close();
        await administer(serverUrl, `drop database ${name} with (force)`);
      }
    },
  };
}

/** Copied for each test: a copy takes a fraction of the migrations. */
async function createTemplate(serverUrl: string): Promise<string> {
  const name = `template_${randomBytes(6).toString('hex')}`;
  await administer(serverUrl, `create database ${name}`);
  await (await openLedger({ url: databaseUrl(serverUrl, name) })).close();
  return name;
}

/** A shared ledger takes no seed from a configuration; a test may still want its policy so from the beginning. */
async function applySeed(ledger: Ledger, seed: NonNullable<LedgerOptions['seed']>): Promise<void> {
  await ledger.write(async (tx) => {
    const { policy } = await tx.selectFrom('ledger').select('policy').executeTakeFirstOrThrow();
    await tx
      .updateTable('ledger')
      .set({ policy: JSON.stringify({ ...JSON.parse(policy), ...seed }) })
      .execute();
  });
}

function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.toString();
}

async function administer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
