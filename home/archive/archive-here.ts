import { createLedgerFiles } from '../../archive/ledger-files.js';
import { readText } from '../../archive/read-text.js';
import type { ArchiveHere } from '../../operations/audit.js';
import type { Installation } from '../installation.js';

/** What the archive knows about the ledger, if it can be reached from this machine. */
export function archiveHere({ archive, marks }: Pick<Installation, 'archive' | 'marks'>): ArchiveHere {
  const certificates = { folders: () => archive.folders(), read: (path: string) => readText(archive, path) };
  return { certificates, marks, files: createLedgerFiles(archive) };
}
