import { explainError } from '../terminal/explain-error.js';

/** What was found of one part, and whether it can be worked with. */
export interface Diagnosis {
  readonly part: string;
  readonly ok: boolean;
  /** It says what is waited for, which is no fault of the machine. */
  readonly waits?: true;
  readonly words: string;
}

/** What cannot be looked at, or throws what is wrong with it, is a finding like any other. */
export async function lookAt(part: string, look: () => Promise<string> | string): Promise<Diagnosis> {
  try {
    return { part, ok: true, words: await look() };
  } catch (error) {
    return { part, ok: false, words: explainError(error, { env: {} }).message };
  }
}
