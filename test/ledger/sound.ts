import { expect } from 'vitest';
import { verifyAudit } from '../../ledger/access/audit.js';
import type { Ledger } from '../../ledger/ledger.js';
import { auditCounters } from '../../ledger/money/counter-check.js';
import { ledgerFaults } from '../../ledger/progress/orphans.js';
import { checkBooks } from '../../ledger/verification/check-books.js';

/** What holds after any test: counters are what the entries say, no hold on an ended row, an unbroken audit chain. */
export async function expectSoundBooks(ledger: Ledger, faults: readonly string[] = []): Promise<void> {
  expect(await auditCounters(ledger)).toEqual([]);
  expect((await ledgerFaults(ledger)).filter(({ kind }) => kind !== 'late_movie')).toEqual([]);
  expect(await verifyAudit(ledger)).toMatchObject({ ok: true });
  const found = await checkBooks(ledger.db, null);
  if (faults.length === 0) expect(found).toEqual([]);
  expect(new Set(found.map(({ kind }) => kind))).toEqual(new Set(faults));
}
