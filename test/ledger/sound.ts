import { expect } from 'vitest';
import { verifyAudit } from '../../ledger/access/audit.js';
import { sumClasses } from '../../ledger/batches/class-totals.js';
import type { Ledger } from '../../ledger/ledger.js';
import { planSums } from '../../ledger/plan/sealed-figures.js';
import { ledgerFaults } from '../../ledger/progress/orphans.js';
import { checkBooks } from '../../ledger/verification/check-books.js';
import { auditCounters } from '../../ledger/verification/counter-check.js';

/** What holds after any test: counters are what the entries say, no hold on an ended row, an unbroken audit chain. */
export async function expectSoundBooks(ledger: Ledger, faults: readonly string[] = []): Promise<void> {
  expect(await auditCounters(ledger)).toEqual([]);
  expect((await ledgerFaults(ledger)).filter(({ kind }) => kind !== 'late_movie')).toEqual([]);
  expect(await verifyAudit(ledger)).toMatchObject({ ok: true });
  const found = await checkBooks(ledger.db, null);
  if (faults.length === 0) {
    expect(found).toEqual([]);
    await expectKeptFigures(ledger);
  }
  expect(new Set(found.map(({ kind }) => kind))).toEqual(new Set(faults));
}

/** What is kept of a sealed plan is what its rows say. */
async function expectKeptFigures({ db }: Ledger): Promise<void> {
  const kept = await db.selectFrom('plan_figures').select('batch_id').execute();
  const sorted = (sums: readonly unknown[]) => sums.map((sum) => JSON.stringify(sum)).sort();
  for (const { batch_id: batchId } of kept) {
    expect(sorted(await planSums(db, batchId))).toEqual(sorted(await sumClasses(db, batchId)));
  }
}
