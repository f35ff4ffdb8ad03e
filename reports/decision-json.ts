import type { DecisionView } from '../ledger/batches/batches.js';
import { timeJson } from './time-json.js';

/** The yes or no to a plan, as every document for programs has it. */
export function decisionJson({ kind, by, atMs, selfApproved, reason }: DecisionView) {
  return { kind, by, at: timeJson(atMs), self_approved: selfApproved, reason };
}
