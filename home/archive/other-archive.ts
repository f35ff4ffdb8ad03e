import { knownArchiveId } from '../../archive/archive-identity.js';
import type { ArchiveStore } from '../../archive/archive-store.js';
import type { Ledger } from '../../ledger/ledger.js';
import { archiveOf } from '../../ledger/progress/ledger-archive.js';

/**
 * Says why a worker would refuse to start here: the archive set here is not the one that a shared ledger has recorded.
 *
 * @returns null when it would start, and when the archive cannot be reached.
 */
export async function otherArchive(
  ledger: Pick<Ledger, 'db' | 'dialect'>,
  { notes, url }: Pick<ArchiveStore, 'notes' | 'url'>,
): Promise<string | null> {
  if (ledger.dialect === 'sqlite') return null;
  const own = await archiveOf(ledger);
  if (own === null) return null;
  // One without an id is new, and so another one.
  const here = await knownArchiveId(notes).catch(() => own.id);
  return here === own.id
    ? null
    : `the archive here is ${url}, this ledger's is ${own.url}: a worker would refuse to start`;
}
