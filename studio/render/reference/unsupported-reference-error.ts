/** The file cannot be a reference, whatever it is called. The message says what it is, and what would be right. */
export class UnsupportedReferenceError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(`Cannot use the file as a reference: ${message}`, options);
    this.name = 'UnsupportedReferenceError';
  }
}
