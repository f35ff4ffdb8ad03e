import { archiveId } from '../../archive/archive-identity.js';
import { archiveFolder, isBucket, openArchive } from '../../home/archive/open-archive.js';
import type { Config } from '../../home/config.js';
import type { LedgerHealth } from '../../operations/database.js';
import { roomOnDisk } from './disk.js';

/**
 * Where movies go, and whether they can: a bucket is asked, and written to.
 *
 * @param own the archive that a shared ledger remembers
 * @throws Error where it is another one.
 */
export async function diagnoseArchive(config: Config, own: LedgerHealth['archive']): Promise<string> {
  if (own !== null) await refuseOther(config, own);
  if (!isBucket(config)) return `${archiveFolder(config)}, ${await roomOnDisk(archiveFolder(config))}`;
  const { store, close } = await openArchive(config);
  try {
    await store.check();
    return `${store.url}, can be written`;
  } finally {
    close();
  }
}

async function refuseOther(config: Config, own: NonNullable<LedgerHealth['archive']>): Promise<void> {
  const { store, close } = await openArchive(config);
  try {
    if ((await archiveId(store.notes)) === own.id) return;
    throw new Error(
      `Cannot start a worker: the archive ${store.url} is not this ledger's, which is ${own.url}; set GREENLIGHT_ARCHIVE_URL`,
    );
  } finally {
    close();
  }
}
