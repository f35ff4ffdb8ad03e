import type { Service } from './service.js';

/** Which ledger, and how far it is. */
export interface LedgerMark {
  readonly ledgerId: string;
  /** The number of the last money entry: every order makes one before it is sent. */
  readonly sequence: number;
  /** The end of its audit chain; older marks have none. */
  readonly audit?: { readonly length: number; readonly head: string };
}

/** Kept beside the files of an archive: how far a ledger was when it ordered movies of this service into it. */
export interface ArchiveMark extends LedgerMark {
  readonly service: Pick<Service, 'name' | 'baseUrl'>;
}

/** The marks of one archive, at most one for each ledger and service. */
export interface ArchiveMarks {
  list(): Promise<readonly ArchiveMark[]>;
  /** Puts the mark in the place of the one of the same ledger and service; it outlives a power cut. */
  write(mark: ArchiveMark): Promise<void>;
  remove(mark: Pick<ArchiveMark, 'ledgerId' | 'service'>): Promise<void>;
}

/** By how many entries an archive is ahead of its own ledger; 0 where the ledger knows every order in it. */
export function entriesAhead(own: LedgerMark, marks: readonly ArchiveMark[]): number {
  const sequences = marks.filter(({ ledgerId }) => ledgerId === own.ledgerId).map(({ sequence }) => sequence);
  return Math.max(own.sequence, ...sequences) - own.sequence;
}

/**
 * Why a ledger must not order: the archive knows of orders that it does not know, because it was restored from a backup
 * or is not the one that filled the archive. They would be made and paid again.
 *
 * A rehearsal's movies are its own home's, so another ledger's rehearsal in the same folder means nothing.
 */
export function whyNotToOrder(own: LedgerMark, marks: readonly ArchiveMark[], service: Service): string | null {
  const ahead = entriesAhead(own, marks);
  if (ahead > 0) {
    const entries = ahead === 1 ? '1 entry' : `${ahead} entries`;
    return `the archive is ahead of this ledger by ${entries}: it was restored from a backup`;
  }
  if (service.rehearsal || !marks.some((mark) => isOthers(mark, own, service))) return null;
  return `another ledger ordered from ${service.name} into this archive`;
}

/** A mark of another ledger that ordered from the same service. */
export function isOthers(mark: ArchiveMark, own: LedgerMark, service: Pick<Service, 'name' | 'baseUrl'>): boolean {
  const { name, baseUrl } = mark.service;
  return mark.ledgerId !== own.ledgerId && name === service.name && baseUrl === service.baseUrl;
}
