/** The file could not be checked: no reader could be started, or it gave no sign of life. */
export class ProbeUnavailableError extends Error {
  override readonly name = 'ProbeUnavailableError';

  constructor(options?: ErrorOptions) {
    super('Cannot read the reference: no reader answered in time', options);
  }
}
