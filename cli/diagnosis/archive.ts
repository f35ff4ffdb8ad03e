import { archiveFolder, isBucket, openArchive } from '../../home/archive/open-archive.js';
import type { Config } from '../../home/config.js';
import { roomOnDisk } from './disk.js';

/** Where movies go, and whether they can: a bucket is asked, and written to. */
export async function diagnoseArchive(config: Config): Promise<string> {
  if (!isBucket(config)) return `${archiveFolder(config)}, ${await roomOnDisk(archiveFolder(config))}`;
  const { store, close } = await openArchive(config);
  try {
    await store.check();
    return `${store.url}, can be written`;
  } finally {
    close();
  }
}
