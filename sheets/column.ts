/** Fields that a brief has once. */
export const plainFields = ['id', 'prompt', 'duration_seconds', 'aspect_ratio', 'style'] as const;
export type PlainField = (typeof plainFields)[number];

export const referenceParts = ['source', 'role', 'description'] as const;
export type ReferencePart = (typeof referenceParts)[number];

/** What a column is for: a field of the brief, a part of its n-th reference, or a custom column. */
export type ColumnUse =
  | { readonly kind: 'field'; readonly field: PlainField }
  | { readonly kind: 'reference'; readonly number: number; readonly part: ReferencePart }
  | { readonly kind: 'own' };

export interface Column {
  readonly index: number;
  /** As the team wrote it. */
  readonly header: string;
  /** The spreadsheet's name for it: A, B … Z, AA. Null in YAML. */
  readonly letter: string | null;
  readonly use: ColumnUse;
}

/** A column's name in findings: the field's own if it is a field, whatever its header says. */
export function fieldNameOf({ use, header }: Pick<Column, 'use' | 'header'>): string {
  if (use.kind === 'own') return header;
  return use.kind === 'field' ? use.field : referenceFieldName(use.number, use.part);
}

function referenceFieldName(number: number, part: ReferencePart): string {
  return part === 'source' ? `reference_${number}` : `reference_${number}_${part}`;
}

export function columnLetter(index: number): string {
  let letters = '';
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}
