/** Digits of a ledger's id: two ledgers of one namespace that have so many in common will not happen. */
const digits = 12;

/**
 * What a ledger's work in Temporal begins with, as `6f1c22aa90b3/batch/spring-1`: ids are one space for all who use a
 * namespace, and two ledgers may well have a batch of the same name.
 */
export function ledgerName(ledgerId: string): string {
  return ledgerId.replaceAll('-', '').slice(0, digits);
}

/** Whether a workflow is of this ledger. */
export function isOfLedger(workflowId: string, ledgerId: string): boolean {
  return workflowId.startsWith(`${ledgerName(ledgerId)}/`);
}
