/** Two texts as what they have in common at both ends, and what stands between. */
export interface ChangedMiddle {
  readonly head: string;
  readonly removed: string;
  readonly added: string;
  readonly tail: string;
}

/** Whole words: the longest common beginning, then the longest common end of the rest. */
export function changedMiddle(before: string, after: string): ChangedMiddle {
  const [one, other] = [wordsOf(before), wordsOf(after)];
  let from = 0;
  while (from < one.length && from < other.length && one[from] === other[from]) from += 1;
  let end = 0;
  const most = Math.min(one.length, other.length) - from;
  while (end < most && one[one.length - 1 - end] === other[other.length - 1 - end]) end += 1;
  const between = (words: readonly string[]) => words.slice(from, words.length - end).join(' ');
  return {
    head: one.slice(0, from).join(' '),
    removed: between(one),
    added: between(other),
    tail: one.slice(one.length - end).join(' '),
  };
}

function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
