/** What an exit code promises to a script. */
export const exitCodes = {
  /** Every row of the sheet is delivered, or the command did what it says. */
  ok: 0,
  /** Finished, and something is not delivered, or findings are errors, or hashes differ. */
  incomplete: 1,
  /** Wrong usage, or a manifest that cannot be used. */
  usage: 2,
  /** Stopped for a person: approval, budget, a stop, another batch in the way. */
  stopped: 3,
  /** A part cannot be reached or refuses our credentials. */
  unreachable: 4,
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** A person's error: printed as one line without a stack, then the exit code. */
export class CliError extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CliError';
    this.exitCode = exitCode;
  }
}
