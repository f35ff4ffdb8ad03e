import { join } from 'node:path';
import { createArchiveMarks } from '../../archive/archive-marks.js';
import type { ArchiveStore } from '../../archive/archive-store.js';
import { createFileStore } from '../../archive/folder/file-store.js';
import type { ArchiveMarks } from '../../domain/ledger-mark.js';
import { createReportFolder, createReportUpload, type ReportTarget } from '../../reports/report-folder.js';
import type { Config } from '../config.js';

/** The archive of an installation: movies, ledger marks, reports. */
export interface OpenedArchive {
  readonly store: ArchiveStore;
  /** What the archive knows about ledgers. */
  readonly marks: ArchiveMarks;
  /** Where the archive keeps the reports of a batch. */
  reports(batchId: string): ReportTarget;
  close(): void;
}

/** The settings of the archive. */
export type ArchiveConfig = Pick<Config, 'archiveUrl' | 'home'>;

/** @throws StorageError when a folder cannot be created or written; a bucket is not called before its first use. */
export async function openArchive(config: ArchiveConfig): Promise<OpenedArchive> {
  if (isBucket(config)) return openBucket(config);
  const folder = archiveFolder(config);
  const store = await createFileStore(folder);
  const marks = createArchiveMarks(store.notes);
  return { store, marks, reports: (batchId) => createReportFolder(join(folder, batchId), folder), close() {} };
}

async function openBucket(config: ArchiveConfig): Promise<OpenedArchive> {
  const { createS3Store } = await import('../../archive/s3/s3-store.js'); // most homes have a folder
  const stagingFolder = stagingFolderOf(config);
  const store = createS3Store({ url: config.archiveUrl, stagingFolder });
  const reports = (batchId: string) =>
    createReportUpload(join(stagingFolder, 'reports'), (name, file) => store.replace(`${batchId}/${name}`, file));
  return { store, marks: createArchiveMarks(store.notes), reports, close: () => store.close() };
}

/** Where a worker keeps files that are not in its bucket yet. */
export function stagingFolderOf({ home }: Pick<Config, 'home'>): string {
  return join(home, 'staging');
}

export function isBucket({ archiveUrl }: Pick<Config, 'archiveUrl'>): boolean {
  return archiveUrl.startsWith('s3:');
}

/** The folder with a folder for each batch. */
export function archiveFolder({ archiveUrl }: Pick<Config, 'archiveUrl'>): string {
  return archiveUrl.slice('file:'.length);
}

/** Where a batch's movies and reports are, for people: a folder, or the address in a bucket. */
export function placeOf(config: Pick<Config, 'archiveUrl'>, batchId: string): string {
  return isBucket(config) ? `${config.archiveUrl}/${batchId}` : join(archiveFolder(config), batchId);
}
