import type { Readable } from 'node:stream';

/** Where films lie; paths are those that the ledger has of them. */
export interface FilmPort {
  /** The bytes of a file, from and to both included; all of them without a range. */
  open(path: string, range?: { readonly start: number; readonly end: number }): Promise<Readable>;
  /** Null when nothing is there. */
  stat(path: string): Promise<{ readonly sizeBytes: number } | null>;
}
