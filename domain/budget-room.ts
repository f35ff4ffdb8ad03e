/** One defined level of a budget path, in minor units of one currency. */
export interface BudgetLevel {
  readonly path: string;
  readonly limitMinor: number;
  readonly committedMinor: number;
  readonly spentMinor: number;
  readonly overrunMinor: number;
  readonly currency: string;
}

const segment = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export function isBudgetPath(path: string): boolean {
  return path.split('/').every((part) => segment.test(part));
}

/** `acme/emea/spring` → `acme`, `acme/emea`, `acme/emea/spring`: outermost first, as they are locked (docs/money.md). */
export function levelsOf(path: string): readonly string[] {
  const parts = path.split('/');
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** What may still be committed at a level; negative after its limit was lowered below what is bound. */
export function roomMinor({ limitMinor, committedMinor, spentMinor, overrunMinor }: BudgetLevel): number {
  return limitMinor - committedMinor - spentMinor - overrunMinor;
}

/** The outermost level that has no room for the amount, or null when all have. */
export function levelWithoutRoom(levels: readonly BudgetLevel[], amountMinor: number): BudgetLevel | null {
  return levels.find((level) => roomMinor(level) < amountMinor) ?? null;
}
