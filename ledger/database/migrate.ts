import { randomUUID } from 'node:crypto';
import { Migrator } from 'kysely';
import { defaultPolicy, type Policy } from '../../domain/policy.js';
import type { OpenedDatabase } from '../ledger.js';
import * as start from './migrations/0001-start.js';
import * as invoices from './migrations/0002-invoices.js';
import * as access from './migrations/0003-access.js';
import * as waysOut from './migrations/0004-ways-out.js';
import * as budgets from './migrations/0012-budgets.js';
import * as signIn from './migrations/0020-sign-in.js';
import * as reviews from './migrations/0030-reviews.js';
import * as runTimes from './migrations/0080-run-times.js';

const migrations = {
  '0001-start': start,
  '0002-invoices': invoices,
  '0003-access': access,
  '0004-ways-out': waysOut,
  '0012-budgets': budgets,
  '0020-sign-in': signIn,
  '0030-reviews': reviews,
  '0080-run-times': runTimes,
};

/** Brings the tables to this version, under a lock, and writes the first row of a new ledger. */
export async function migrateLedger(ledger: OpenedDatabase, seed: Partial<Policy>): Promise<void> {
  const migrator = new Migrator({ db: ledger.db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw new Error(`Cannot open the ledger: ${messageOf(error)}`, { cause: error });
  await ledger.db
    .insertInto('ledger')
    .values({
      id: 1,
      ledger_id: randomUUID(),
      created_ms: Date.now(),
      policy: JSON.stringify(firstPolicy(ledger, seed)),
      policy_version: 1,
      audit_length: 0,
      audit_head: '',
      halted: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** A shared ledger is no one machine's: its policy is set by people, and nobody works alone on it. */
function firstPolicy({ dialect }: OpenedDatabase, seed: Partial<Policy>): Policy {
  return dialect === 'sqlite' ? { ...defaultPolicy, ...seed } : { ...defaultPolicy, solo: false };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
