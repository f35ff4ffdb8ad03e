import type { Brief, BriefReference } from '../../domain/brief.js';
import { contentDigest } from '../../domain/digests/content-digest.js';
import type { DraftReference } from '../references/draft-references.js';
import type { LocalFiles } from '../references/local-files.js';
import { ContentIndex } from './content-index.js';
import type { DraftBrief, DraftRow } from './draft-row.js';
import { RowKeyIndex } from './row-key-index.js';
import { rowKeyRule } from './row-key.js';
import type { RowLayout } from './row-layout.js';
import type { RowNotes } from './row-notes.js';

export interface ManifestRow {
  readonly brief: Brief;
  /** SHA-256 of what makes the movie (domain/content-digest.ts); null while a remote reference is not fetched. */
  readonly digest: string | null;
  /**
   * Aligned with the head's columns, as the team wrote them; for a multiplied row, with the id and the ratio of this
   * movie.
   */
  readonly cells: readonly string[];
  readonly row: number;
  readonly line: number | null;
}

/** Compares each movie with all before it in the file. */
export interface RowFinisher {
  /** Returns the briefs of a row whose files have been checked; none if it has an error. */
  finish(draft: DraftRow): readonly ManifestRow[];
}

export function createRowFinisher(layout: RowLayout, localFiles: LocalFiles): RowFinisher {
  const keys = new RowKeyIndex();
  const contents = new ContentIndex();
  return {
    finish(draft) {
      const { notes, row } = draft;
      const briefs = draft.briefs.map((one): Brief => {
        noteTaken(one.rowKey, draft, keys, layout);
        return wholeBrief(one, localFiles, notes);
      });
      noteBaseTaken(draft, keys, layout);
      // A sheet that lacks one of them has an error already, which is not repeated for each row.
      if (notes.failed || layout.field.id === null || layout.field.prompt === null) return [];
      return briefs.map((brief, index): ManifestRow => {
        const digest = contentDigest(brief);
        if (digest !== null) noteSameContent(digest, brief, draft, contents, layout);
        return { brief, digest, cells: draft.briefs[index]?.cells ?? [], row: row.row, line: row.line };
      });
    },
  };
}

function wholeBrief(draft: DraftBrief, localFiles: LocalFiles, notes: RowNotes): Brief {
  const { rowKey, prompt, durationSeconds, aspectRatio, style } = draft;
  const references =
    draft.references.length === 0
      ? none
      : draft.references.map((one) => withFile(one, localFiles, notes)).filter(isThere);
  return { rowKey, prompt, durationSeconds, aspectRatio, style, references };
}

const none: readonly BriefReference[] = [];

function noteTaken(key: string, { row, notes }: DraftRow, keys: RowKeyIndex, layout: RowLayout): void {
  if (!rowKeyRule.test(key)) return;
  const first = keys.add({ key, row: row.row, line: row.line });
  if (!first) return;
  const place = `row ${first.row}${first.line === null ? '' : ` (line ${first.line})`}`;
  const message =
    first.key === key
      ? `the id "${key}" is taken by ${place}; every row needs its own`
      : `the id "${key}" differs from "${first.key}" of ${place} only by case; every row needs its own`;
  notes.add(layout.field.id, { severity: 'error', code: 'id_duplicate', message, before: key });
}

/** The id of a multiplied row belongs to no movie, and no other row may give it to one. */
function noteBaseTaken(draft: DraftRow, keys: RowKeyIndex, layout: RowLayout): void {
  const { baseKey, briefs } = draft;
  if (baseKey !== null && briefs[0]?.rowKey !== baseKey && !briefs.some(({ rowKey }) => rowKey === baseKey))
    noteTaken(baseKey, draft, keys, layout);
}

function noteSameContent(
  digest: string,
  { rowKey }: Brief,
  { row, notes }: DraftRow,
  contents: ContentIndex,
  layout: RowLayout,
): void {
  const first = contents.add(digest, row.row);
  if (first === null) return;
  const message = `"${rowKey}" asks for the same movie as row ${first}; both are made and paid`;
  notes.add(layout.field.id, { severity: 'warning', code: 'same_content', message });
}

function withFile(draft: DraftReference, localFiles: LocalFiles, notes: RowNotes): BriefReference | null {
  const { source, role, description, column } = draft;
  if (source.kind !== 'path') return { source, role, description };
  const reading = localFiles.known(source.path);
  if ('trouble' in reading) {
    notes.add(column, reading.trouble);
    return null;
  }
  const { path, sha256, sizeBytes, kind } = reading.file;
  if (reading.warning) notes.add(column, reading.warning);
  if ((role === 'audio' || role === 'document') && kind !== role) {
    const message = `its role is ${role} and the file is ${kind === 'image' ? 'an' : 'a'} ${kind}`;
    notes.add(column, { severity: 'warning', code: 'reference_role_kind', message, before: source.path });
  }
  return { source: { kind: 'file', path, sha256, sizeBytes }, role, description };
}

function isThere(reference: BriefReference | null): reference is BriefReference {
  return reference !== null;
}

/** Adds the local files that a row names. */
export function collectPaths({ briefs }: Pick<DraftRow, 'briefs'>, paths: Set<string>): void {
  for (const { references } of briefs) {
    for (const { source } of references) if (source.kind === 'path') paths.add(source.path);
  }
}
