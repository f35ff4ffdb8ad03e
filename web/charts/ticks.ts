/** Round values from 0 to at least `most`, `count` steps at most: 0, 500, 1000, … */
export function ticksTo(most: number, count = 5): readonly number[] {
  if (most <= 0) return [0];
  const rough = most / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough) ?? rough);
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step);
}

/** At most so many of a list, the first and the last among them, evenly. */
export function thinned<T>(items: readonly T[], most: number): readonly T[] {
  if (items.length <= most) return items;
  const step = (items.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, index) => items[Math.round(index * step)] as T); // within the list
}
