import { auditCases } from './access/audit.case.js';
import { doorsCases } from './access/doors.case.js';
import { peopleCases } from './access/people.case.js';
import { archivedBatchesCases } from './archived/archived-batches.case.js';
import { batchCases } from './batches/batch.case.js';
import { campaignRowsCases } from './batches/campaign-rows.case.js';
import { rowListsCases } from './batches/row-lists.case.js';
import { clockCases } from './database/clock.case.js';
import { migrationsCases } from './database/migrations.case.js';
import type { Databases } from './databases.js';
import { budgetUseCases } from './money/budget-use.case.js';
import { budgetsCases } from './money/budgets.case.js';
import { invoiceLinesCases } from './money/invoice-lines.case.js';
import { invoicesCases } from './money/invoices.case.js';
import { limitsCases } from './money/limits.case.js';
import { movementsCases } from './money/movements.case.js';
import { statementsCases } from './money/statements.case.js';
import { marketsCases } from './movie-reviews/markets.case.js';
import { reviewsCases } from './movie-reviews/reviews.case.js';
import { outboxCases } from './notices/outbox.case.js';
import { admissionCases } from './orders/admission.case.js';
import { answersCases } from './orders/answers.case.js';
import { groupsCases } from './orders/groups.case.js';
import { holdCases } from './orders/hold.case.js';
import { orderRateCases } from './orders/order-rate.case.js';
import { unknownsCases } from './orders/unknowns.case.js';
import { withheldCases } from './orders/withheld.case.js';
import { classesCases } from './plan/classes.case.js';
import { decisionsCases } from './plan/decisions.case.js';
import { policyApprovalCases } from './plan/policy-approval.case.js';
import { preparingCases } from './plan/preparing.case.js';
import { cancelsCases } from './progress/cancels.case.js';
import { archivingCases } from './progress/deliveries.case.js';
import { followingCases } from './progress/due-rows.case.js';
import { ledgerArchiveCases } from './progress/ledger-archive.case.js';
import { figuresCases } from './progress/ledger-figures.case.js';
import { retriesCases } from './progress/retries.case.js';
import { runTimesCases } from './progress/run-times.case.js';
import { nudgesCases } from './progress/wake-followers.case.js';
import { waysOutCases } from './progress/ways-out.case.js';
import { stopsCases } from './stops/stops.case.js';
import { restoredCases } from './verification/restored-ledger.case.js';
import { tamperingCases } from './verification/tampering.case.js';
import { elsewhereCases } from './whole/elsewhere.case.js';
import { processesCases } from './whole/processes.case.js';
import { propertiesCases } from './whole/properties.case.js';

type Suite = (databases: Databases) => void;

/** What locks, races and the wire of a database decide: at every commit on each of them. */
const bothSuites: readonly Suite[] = [
  batchCases,
  decisionsCases,
  admissionCases,
  holdCases,
  groupsCases,
  clockCases,
  unknownsCases,
  migrationsCases,
  budgetUseCases,
  budgetsCases,
  movementsCases,
  propertiesCases,
];

/** The rest of what the ledger must do on any database. */
const otherSuites: readonly Suite[] = [
  followingCases,
  stopsCases,
  withheldCases,
  cancelsCases,
  answersCases,
  rowListsCases,
  campaignRowsCases,
  classesCases,
  preparingCases,
  policyApprovalCases,
  orderRateCases,
  nudgesCases,
  runTimesCases,
  archivingCases,
  waysOutCases,
  retriesCases,
  reviewsCases,
  marketsCases,
  outboxCases,
  invoicesCases,
  invoiceLinesCases,
  statementsCases,
  peopleCases,
  limitsCases,
  auditCases,
  figuresCases,
  restoredCases,
  ledgerArchiveCases,
];

/** Every door by every role, and what is looked at once in a while: not needed at every commit. */
const longSuites: readonly Suite[] = [
  doorsCases,
  archivedBatchesCases,
  tamperingCases,
  elsewhereCases,
  processesCases,
  propertiesCases,
];

/** At every commit: most on SQLite, on PostgreSQL what may differ there. What is left runs in `npm run test:all`. */
export const suites = {
  sqlite: [...bothSuites, ...otherSuites],
  postgres: bothSuites,
  sqliteLong: longSuites,
  postgresLong: [...otherSuites, ...longSuites],
};
