import { readText } from '../../archive/read-text.js';
import type { ArchiveHere } from '../../operations/audit.js';
import type { Installation } from '../installation.js';

/** What the ledger's archive says of its books, where it can be asked from this machine. */
export function archiveHere({ archive, marks }: Pick<Installation, 'archive' | 'marks'>): ArchiveHere {
  return { certificates: { folders: () => archive.folders(), read: (path) => readText(archive, path) }, marks };
}
