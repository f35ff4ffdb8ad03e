/** Limits of the interface (specification, section Limits). Lengths count Unicode code points. */
export const limits = {
  promptMin: 10,
  promptMax: 8000,
  durationSecondsMin: 5,
  durationSecondsMax: 120,
  durationSecondsDefault: 30,
  styleMax: 1000,
  referencesMax: 20,
  descriptionMax: 1000,
  idempotencyKeyMin: 8,
  idempotencyKeyMax: 255,
} as const;

/** The form of an uploaded reference's id. */
export const referenceIdForm = /^ref_[A-Za-z0-9]+$/;

/** Number of Unicode code points; JavaScript's own `length` counts UTF-16 units and calls an emoji two. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
