import type { Readable } from 'node:stream';

/** Where films are stored; paths are those in the ledger. */
export interface FilmPort {
  /** The bytes of a file, `start` and `end` included; all of them without a range. */
  open(path: string, range?: { readonly start: number; readonly end: number }): Promise<Readable>;
  /** Null when there is no such file. */
  stat(path: string): Promise<{ readonly sizeBytes: number } | null>;
}
