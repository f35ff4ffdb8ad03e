import { limits } from '../../domain/interface-limits.js';
import { bareName } from '../../sheets/bare-name.js';
import type { ColumnUse, PlainField, ReferencePart } from '../../sheets/column.js';

/** Each field's own name first, then what people call it. */
const names: Readonly<Record<PlainField, readonly string[]>> = {
  id: ['id', 'row', 'row id', 'key', 'name', 'slug'],
  prompt: ['prompt', 'brief', 'text', 'script'],
  duration_seconds: ['duration_seconds', 'duration', 'length', 'seconds'],
  aspect_ratio: ['aspect_ratio', 'ratio', 'aspect', 'format', 'orientation'],
  style: ['style', 'look', 'style direction'],
};

export const fieldByName: ReadonlyMap<string, PlainField> = new Map(
  Object.entries(names).flatMap(([field, aliases]) =>
    aliases.map((alias) => [bareName(alias), field as PlainField] as const),
  ),
);

const referenceName = /^(?:reference|ref|image)(\d{1,6})(url|file|path|source|role|description|desc)?$/;

/** What a header is for, or null when it is not a known name (such as a reference past the limit). */
export function useOfHeader(header: string): ColumnUse | null {
  const bare = bareName(header);
  const field = fieldByName.get(bare);
  if (field) return { kind: 'field', field };
  const [, digits, part] = referenceName.exec(bare) ?? [];
  const number = Number(digits);
  if (digits === undefined || number < 1 || number > limits.referencesMax) return null;
  return { kind: 'reference', number, part: partOf(part) };
}

function partOf(word: string | undefined): ReferencePart {
  if (word === 'role') return 'role';
  return word === 'description' || word === 'desc' ? 'description' : 'source';
}

/** Words of many meanings: a sheet may use them for something else. */
const looseNames: ReadonlySet<string> = new Set(['brief', 'text', 'script', 'format', 'look', 'length', 'seconds']);

export function isLooseName(header: string): boolean {
  return looseNames.has(bareName(header));
}

/** Whether a header asks for a reference that a movie cannot have, e.g. `reference_21`. */
export function isReferencePastLimit(header: string): boolean {
  return useOfHeader(header) === null && referenceName.test(bareName(header));
}
