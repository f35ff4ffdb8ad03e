/** This machine may not work for the ledger as it is set up; the message says what to set right. */
export class InstallationProblem extends Error {
  override readonly name = 'InstallationProblem';
}
