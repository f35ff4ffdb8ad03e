import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { ArchiveMark, ArchiveMarks } from '../../domain/ledger-mark.js';
import { onDisk } from '../errors.js';
import { folderEntries } from './folder-entries.js';

const StoredMark = z.object({
  ledger_id: z.string(),
  sequence: z.int().nonnegative(),
  audit: z.object({ length: z.int().nonnegative(), head: z.string() }).optional(),
  service: z.object({ name: z.string(), base_url: z.string() }),
});

/** Out of sight of whoever lists movies, and no name that a batch can have. */
const marksFolder = '.ledgers';

/** Marks as small files in the archive's folder. Nothing is made before the first one is written. */
export function createFileMarks(archiveFolder: string): ArchiveMarks {
  const folder = join(archiveFolder, marksFolder);
  const onMarks = <T>(doing: string, work: () => Promise<T>) =>
    onDisk(`${doing} the marks of "${archiveFolder}"`, work);
  return {
    list: () =>
      onMarks('read', async () => {
        const marks = (await folderEntries(folder)).filter(({ name }) => name.endsWith('.json'));
        return Promise.all(marks.map(async ({ name }) => markOf(await readFile(join(folder, name), 'utf8'), name)));
      }),
    write: (mark) =>
      onMarks('write', async () => {
        await mkdir(folder, { recursive: true });
        const part = join(folder, `${randomUUID()}.part`);
        try {
          await writeFile(part, textOf(mark), { flag: 'wx', flush: true });
          await rename(part, join(folder, nameOf(mark)));
        } finally {
          await rm(part, { force: true });
        }
      }),
    remove: (mark) => onMarks('remove', () => rm(join(folder, nameOf(mark)), { force: true })),
  };
}

function nameOf({ ledgerId, service }: Pick<ArchiveMark, 'ledgerId' | 'service'>): string {
  const { name, baseUrl } = service;
  const hash = createHash('sha256')
    .update(JSON.stringify([ledgerId, name, baseUrl]))
    .digest('hex');
  return `${hash.slice(0, 32)}.json`;
}

function textOf({ ledgerId, sequence, audit, service }: ArchiveMark): string {
  const named = { name: service.name, base_url: service.baseUrl };
  const stored = { ledger_id: ledgerId, sequence, audit, service: named };
  return `${JSON.stringify(stored, null, 2)}\n`;
}

function markOf(text: string, file: string): ArchiveMark {
  try {
    const { ledger_id: ledgerId, sequence, audit, service } = StoredMark.parse(JSON.parse(text));
    const named = { name: service.name, baseUrl: service.base_url };
    return { ledgerId, sequence, ...(audit && { audit }), service: named };
  } catch (cause) {
    const where = join(marksFolder, file);
    throw new Error(`Cannot read ${where} of the archive: it is not a ledger mark; restore it, or remove it`, {
      cause,
    });
  }
}
