import { admissionCases } from './admission.case.js';
import { answersCases } from './answers.case.js';
import { batchCases } from './batch.case.js';
import { classesCases } from './classes.case.js';
import type { Databases } from './databases.js';
import { decisionsCases } from './decisions.case.js';
import { preparingCases } from './preparing.case.js';

/** Everything that the ledger must do on any database. */
export const suites: readonly ((databases: Databases) => void)[] = [
  batchCases,
  classesCases,
  preparingCases,
  decisionsCases,
  admissionCases,
  answersCases,
];
