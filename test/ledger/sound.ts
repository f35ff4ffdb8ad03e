import { expect } from 'vitest';
import { verifyAudit } from '../../ledger/access/audit.js';
import type { Ledger } from '../../ledger/ledger.js';
import { auditCounters } from '../../ledger/money/counter-check.js';
import { ledgerFaults } from '../../ledger/progress/orphans.js';

/** What holds after any test: counters are what the entries say, no hold on an ended row, an unbroken audit chain. */
export async function expectSoundBooks(ledger: Ledger): Promise<void> {
  expect(await auditCounters(ledger)).toEqual([]);
  expect((await ledgerFaults(ledger)).filter(({ kind }) => kind !== 'late_movie')).toEqual([]);
  expect(await verifyAudit(ledger)).toMatchObject({ ok: true });
}
