/** This machine must not work for the ledger as it is set up; the message says what to correct. */
export class InstallationProblem extends Error {
  override readonly name = 'InstallationProblem';
}
