import { admissionCases } from './admission.case.js';
import { answersCases } from './answers.case.js';
import { archivingCases } from './archiving.case.js';
import { auditCases } from './audit.case.js';
import { batchCases } from './batch.case.js';
import { cancelsCases } from './cancels.case.js';
import { classesCases } from './classes.case.js';
import type { Databases } from './databases.js';
import { decisionsCases } from './decisions.case.js';
import { doorsCases } from './doors.case.js';
import { elsewhereCases } from './elsewhere.case.js';
import { followingCases } from './following.case.js';
import { invoicesCases } from './invoices.case.js';
import { limitsCases } from './limits.case.js';
import { nudgesCases } from './nudges.case.js';
import { peopleCases } from './people.case.js';
import { policyApprovalCases } from './policy-approval.case.js';
import { preparingCases } from './preparing.case.js';
import { processesCases } from './processes.case.js';
import { propertiesCases } from './properties.case.js';
import { restoredCases } from './restored.case.js';
import { retriesCases } from './retries.case.js';
import { stopsCases } from './stops.case.js';
import { unknownsCases } from './unknowns.case.js';

/** Everything that the ledger must do on any database. */
export const suites: readonly ((databases: Databases) => void)[] = [
  batchCases,
  classesCases,
  preparingCases,
  decisionsCases,
  policyApprovalCases,
  admissionCases,
  answersCases,
  cancelsCases,
  stopsCases,
  followingCases,
  nudgesCases,
  archivingCases,
  unknownsCases,
  retriesCases,
  invoicesCases,
  doorsCases,
  peopleCases,
  limitsCases,
  auditCases,
  restoredCases,
  elsewhereCases,
  processesCases,
  propertiesCases,
];
