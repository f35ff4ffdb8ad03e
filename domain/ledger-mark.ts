import type { Service } from './service.js';

/** Which ledger, and how far it is. */
export interface LedgerMark {
  readonly ledgerId: string;
  /** The number of the last money entry: every order makes one before it is sent. */
  readonly sequence: number;
  /** The number of the last send: one that is repeated makes no entry. Older marks have none. */
  readonly sends?: number;
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

/** By how much an archive is ahead of its own ledger; null where the ledger knows every send of an order into it. */
export function aheadOf(own: LedgerMark, marks: readonly ArchiveMark[]): { entries: number; sends: number } | null {
  const ours = marks.filter(({ ledgerId }) => ledgerId === own.ledgerId);
  const entries = Math.max(0, ...ours.map(({ sequence }) => sequence - own.sequence));
  const sends = Math.max(0, ...ours.map((mark) => (mark.sends ?? 0) - (own.sends ?? 0)));
  return entries === 0 && sends === 0 ? null : { entries, sends };
}

/**
 * Why a ledger must not order: the archive knows of orders that it does not know, because it was restored from a backup
 * or is not the one that filled the archive. They would be made and paid again.
 *
 * A rehearsal's movies are its own home's, so another ledger's rehearsal in the same folder means nothing.
 */
export function whyNotToOrder(own: LedgerMark, marks: readonly ArchiveMark[], service: Service): string | null {
  const ahead = aheadOf(own, marks);
  if (ahead) {
    const entries = ahead.entries === 1 ? '1 entry' : `${ahead.entries} entries`;
    const sends = ahead.sends === 1 ? '1 send' : `${ahead.sends} sends`;
    const by = [ahead.entries > 0 && entries, ahead.sends > 0 && sends].filter((part) => part !== false).join(' and ');
    return `the archive is ahead of this ledger by ${by}: it was restored from a backup`;
  }
  if (service.rehearsal || !marks.some((mark) => isOthers(mark, own, service))) return null;
  return `another ledger ordered from ${service.name} into this archive`;
}

/** A mark of another ledger that ordered from the same service. */
export function isOthers(mark: ArchiveMark, own: LedgerMark, service: Pick<Service, 'name' | 'baseUrl'>): boolean {
  const { name, baseUrl } = mark.service;
  return mark.ledgerId !== own.ledgerId && name === service.name && baseUrl === service.baseUrl;
}
