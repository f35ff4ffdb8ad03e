import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ArchiveMark, ArchiveMarks } from '../domain/ledger-mark.js';
import type { ArchiveNotes } from './archive-store.js';

const StoredMark = z.object({
  ledger_id: z.string(),
  sequence: z.int().nonnegative(),
  sends: z.int().nonnegative().optional(),
  audit: z.object({ length: z.int().nonnegative(), head: z.string() }).optional(),
  service: z.object({ name: z.string(), base_url: z.string() }),
});

const marksFolder = 'ledgers';

/** The ledger marks of an archive, among its notes; the last one written counts. */
export function createArchiveMarks(notes: ArchiveNotes): ArchiveMarks {
  return {
    async list() {
      const paths = (await notes.list(marksFolder)).filter((path) => path.endsWith('.json'));
      const marks = await Promise.all(paths.map(async (path) => markOf(await notes.read(path), path)));
      return marks.flatMap((mark) => mark ?? []);
    },
    write: (mark) => notes.write(pathOf(mark), textOf(mark)),
    remove: (mark) => notes.remove(pathOf(mark)),
  };
}

function pathOf({ ledgerId, service }: Pick<ArchiveMark, 'ledgerId' | 'service'>): string {
  const { name, baseUrl } = service;
  const hash = createHash('sha256')
    .update(JSON.stringify([ledgerId, name, baseUrl]))
    .digest('hex');
  return `${marksFolder}/${hash.slice(0, 32)}.json`;
}

function textOf({ ledgerId, sequence, sends, audit, service }: ArchiveMark): string {
  const named = { name: service.name, base_url: service.baseUrl };
  const stored = { ledger_id: ledgerId, sequence, sends, audit, service: named };
  return `${JSON.stringify(stored, null, 2)}\n`;
}

/** Null for one that was removed meanwhile. */
function markOf(text: string | null, path: string): ArchiveMark | null {
  if (text === null) return null;
  try {
    const { ledger_id: ledgerId, sequence, sends, audit, service } = StoredMark.parse(JSON.parse(text));
    const named = { name: service.name, baseUrl: service.base_url };
    return { ledgerId, sequence, ...(sends !== undefined && { sends }), ...(audit && { audit }), service: named };
  } catch (cause) {
    throw new Error(`Cannot read .${path} of the archive: it is not a ledger mark; restore it, or remove it`, {
      cause,
    });
  }
}
