import type { ColumnUse, PlainField } from '../../sheets/column.js';
import type { HeaderNames } from './header-map.js';
import { isLooseName } from './header-names.js';
import { qualifiedField } from './header-words.js';

export interface HeaderUses {
  /** What each header is for. */
  readonly uses: readonly ColumnUse[];
  /** Fields found under a longer name, with that name: prompt under `Video Prompt`. */
  readonly understood: ReadonlyMap<PlainField, string>;
  /** Fields for which several headers are possible; none is used until a person says which. */
  readonly unclear: ReadonlyMap<PlainField, readonly string[]>;
}

/**
 * Decides what the headers of one sheet are for. A longer name counts when the field has no other; when a field could
 * be under a word of many meanings (`Text`) or under a longer name of its own (`Video Prompt`), nothing is guessed.
 */
export function headerUses(headers: readonly string[], names: HeaderNames): HeaderUses {
  const uses = headers.map((header): ColumnUse => names.useOf(header) ?? { kind: 'own' });
  const understood = new Map<PlainField, string>();
  const unclear = new Map<PlainField, readonly string[]>();
  const mapped = new Set(names.mapped.map(({ field }) => field));
  for (const [field, longer] of longerNames(headers, uses)) {
    if (mapped.has(field)) continue;
    const plain = indexesOf(field, uses);
    if (plain.some((index) => !isLooseName(headers[index] ?? ''))) continue;
    const candidates = [...plain, ...longer].sort((a, b) => a - b);
    const [only, second] = candidates;
    if (only !== undefined && second === undefined) {
      understood.set(field, headers[only] ?? '');
      uses[only] = { kind: 'field', field };
      continue;
    }
    unclear.set(
      field,
      candidates.map((index) => headers[index] ?? ''),
    );
    for (const index of candidates) uses[index] = { kind: 'own' };
  }
  return { uses, understood, unclear };
}

function longerNames(headers: readonly string[], uses: readonly ColumnUse[]): ReadonlyMap<PlainField, number[]> {
  const found = new Map<PlainField, number[]>();
  for (const [index, header] of headers.entries()) {
    const field = uses[index]?.kind === 'own' ? qualifiedField(header) : null;
    if (field) found.set(field, [...(found.get(field) ?? []), index]);
  }
  return found;
}

function indexesOf(field: PlainField, uses: readonly ColumnUse[]): readonly number[] {
  return uses.flatMap((use, index) => (use.kind === 'field' && use.field === field ? [index] : []));
}
