/** The middle of some numbers; of an even count the lower of the two. */
export function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor((numbers.length - 1) / 2)] ?? Number.NaN;
}

/** The number that so large a part of them is at most as large as: 0.99 is all but one in a hundred. */
export function partOf(numbers: readonly number[], share: number): number {
  const index = Math.min(Math.floor(numbers.length * share), numbers.length - 1);
  return numbers.toSorted((one, other) => one - other)[index] ?? 0;
}

const figure = /\d[\d,]*(?:\.\d+)?/g;

/**
 * Texts that differ in their figures, as one with the median of each: "0.3 / 1.9", "0.4 / 1.8" and "0.4 / 1.1" are
 * "0.4 / 1.8". Texts that differ in words are shown beside each other.
 */
export function medianText(texts: readonly string[]): string {
  const [first = ''] = texts;
  if (new Set(texts.map((text) => text.replace(figure, '#'))).size > 1) return texts.join(' · ');
  const figures = texts.map((text) => text.match(figure) ?? []);
  let at = -1;
  return first.replace(figure, () => {
    at += 1;
    const shown = figures.map((one) => one[at] ?? '');
    const middle = median(shown.map(valueOf));
    return shown.find((one) => valueOf(one) === middle) ?? '';
  });
}

function valueOf(shown: string): number {
  return Number(shown.replaceAll(',', ''));
}
