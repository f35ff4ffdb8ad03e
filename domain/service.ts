import { createHash } from 'node:crypto';

/** A movie service. Its name and address together are its identity: a rehearsal never counts for the real one. */
export interface Service {
  readonly name: string;
  /** `embedded` for a home's own studio, whose port changes from start to start. */
  readonly baseUrl: string;
  /** Its movies and its money are not real. */
  readonly rehearsal: boolean;
}

/** Tells services apart where none may be named. @returns 64 hex digits. */
export function serviceDigest({ name, baseUrl }: Pick<Service, 'name' | 'baseUrl'>): string {
  return createHash('sha256')
    .update(JSON.stringify([name, baseUrl]))
    .digest('hex');
}
