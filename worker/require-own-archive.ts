import { archiveId } from '../archive/archive-identity.js';
import type { ArchiveStore } from '../archive/archive-store.js';
import { InstallationProblem } from '../home/installation-problem.js';
import type { Ledger } from '../ledger/ledger.js';
import { claimArchive } from '../ledger/progress/ledger-archive.js';

/**
 * Workers of a shared ledger save into one archive: with two, half of a batch would be where nobody looks. The ledger
 * records the first worker's. A ledger of one machine may have a folder for each run.
 *
 * @throws InstallationProblem that names both.
 */
export async function requireOwnArchive(ledger: Ledger, archive: Pick<ArchiveStore, 'url' | 'notes'>): Promise<void> {
  if (ledger.dialect === 'sqlite') return;
  const here = { id: await archiveId(archive.notes), url: archive.url };
  const own = await claimArchive(ledger, here);
  if (own.id === here.id) return;
  throw new InstallationProblem(
    `Cannot start a worker: its archive is ${here.url} (${here.id}), and this ledger's is ${own.url} (${own.id}); set GREENLIGHT_ARCHIVE_URL, or run: greenlight ledger use-archive`,
  );
}
