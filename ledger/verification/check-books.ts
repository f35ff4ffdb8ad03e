import type { Kysely } from 'kysely';
import type { LedgerFiles } from '../archived/archived-batches.js';
import type { Tables } from '../database/tables.js';
import { checkArchived } from './archived-check.js';
import { checkEntryChains } from './chain-check.js';
import { checkDecisions } from './decision-check.js';
import { checkInvoices } from './invoice-check.js';
import type { BookFault } from './ledger-fault.js';
import { checkOrders } from './order-check.js';
import { chainAnchorsOf, checkOutside, type OutsideProofs } from './outside-check.js';
import { checkPlans } from './plan-check.js';
import { checkSettings } from './settings-check.js';

/**
 * Compares everything in the books that says the same thing twice, and the books with what is kept outside of them.
 * Whoever changes one place has to change the others; what is outside, they may not reach. All reads are of one
 * database as it is given: pass a transaction that sees one moment.
 *
 * @param files null where the archive is not here: then what is in the files of archived batches is not read
 */
export async function checkBooks(
  db: Kysely<Tables>,
  outside: OutsideProofs | null,
  files: Pick<LedgerFiles, 'read'> | null = null,
): Promise<readonly BookFault[]> {
  const proofs = outside ?? { marks: [], certificates: [] };
  const { ledger_id } = await db.selectFrom('ledger').select('ledger_id').executeTakeFirstOrThrow();
  return [
    ...(await checkEntryChains(db, chainAnchorsOf(proofs, ledger_id))),
    ...(await checkDecisions(db)),
    ...(await checkPlans(db)),
    ...(await checkOrders(db)),
    ...(await checkInvoices(db)),
    ...(await checkSettings(db)),
    ...(await checkOutside(db, proofs)),
    ...(await checkArchived(db, {
      files,
      certificates: proofs.certificates.filter(({ ledgerId }) => ledgerId === ledger_id),
    })),
  ];
}
