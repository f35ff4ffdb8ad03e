import { type ReferenceRole, type ReferenceSource, referenceRoles } from '../../domain/brief.js';
import { limits } from '../../domain/interface-limits.js';
import type { DamageSigns } from '../../sheets/text/encoding.js';
import { textTroubles } from '../fields/text-troubles.js';
import type { ReferenceColumns } from '../rows/row-layout.js';
import type { RowNotes } from '../rows/row-notes.js';
import { type ReferenceTextOptions, readReferenceText } from './reference-text.js';

/** A reference of a movie; a file on this machine is still to be checked. */
export interface DraftReference {
  readonly source: Exclude<ReferenceSource, { kind: 'file' }> | { readonly kind: 'path'; readonly path: string };
  readonly role: ReferenceRole;
  readonly description: string | null;
  /** The column of its source. */
  readonly column: number;
}

export interface ReferenceCells {
  /** The text of a cell: trimmed, its templates filled; empty when there is no such column. */
  readonly textOf: (column: number | null) => string;
  readonly damageSigns: DamageSigns;
}

/** What is sent when a sheet gives no role. */
const roleByDefault: ReferenceRole = 'other';

/** The references of one row, in the order of their numbers. */
export function draftReferences(
  columns: readonly ReferenceColumns[],
  { textOf, damageSigns }: ReferenceCells,
  notes: RowNotes,
  options: ReferenceTextOptions,
): readonly DraftReference[] {
  if (columns.length === 0) return none;
  const references: DraftReference[] = [];
  for (const { source: column, role: roleColumn, description: descriptionColumn } of columns) {
    const text = textOf(column);
    const roleText = textOf(roleColumn);
    const description = textOf(descriptionColumn);
    if (text === '' || column === null) {
      if (roleText !== '' || description !== '') notes.add(roleColumn ?? descriptionColumn, withoutSource);
      continue;
    }
    const reading = readReferenceText(text, options);
    for (const trouble of reading.troubles) notes.add(column, trouble);
    for (const trouble of textTroubles(description, descriptionLimits, damageSigns))
      notes.add(descriptionColumn, trouble);
    const role = readRole(roleText);
    if (role === null) notes.add(roleColumn, unknownRole(roleText));
    if (roleText === '') notes.add(column, noRole);
    if (reading.source === null) continue;
    // Also with an invalid role: its file is checked in the same pass.
    const known = { role: role ?? roleByDefault, description: description === '' ? null : description };
    references.push({ source: reading.source, ...known, column });
  }
  return references;
}

const none: readonly DraftReference[] = [];

const descriptionLimits = { name: 'description', max: limits.descriptionMax };

const withoutSource = {
  severity: 'warning',
  code: 'reference_empty',
  message: 'describes a reference that is missing; nothing is sent for it',
} as const;

const noRole = {
  severity: 'warning',
  code: 'reference_role_default',
  message: `no role; sent as ${roleByDefault} (roles: ${referenceRoles.join(' ')})`,
} as const;

function readRole(text: string): ReferenceRole | null {
  if (text === '') return roleByDefault;
  const word = text.toLowerCase();
  return referenceRoles.find((role) => role === word) ?? null;
}

function unknownRole(text: string) {
  const message = `"${text.slice(0, 40)}" is not a role; use ${referenceRoles.join(' ')}`;
  return { severity: 'error', code: 'reference_role', message, before: text } as const;
}
