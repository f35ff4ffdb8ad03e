import type { PlainField } from '../../sheets/column.js';

/** Words in front of a field's name that do not change its meaning, as in `Video Prompt`. */
const qualifiers: ReadonlySet<string> = new Set(
  'video movie film clip shot scene spot ai gen generation generated final main full the my target'.split(' '),
);

/** Names that a qualified header may stand for. An id is not among them: `Movie ID` may be anybody's. */
const qualifiedNames: ReadonlyMap<string, PlainField> = new Map([
  ['prompt', 'prompt'],
  ['prompt text', 'prompt'],
  ['duration', 'duration_seconds'],
  ['duration seconds', 'duration_seconds'],
  ['duration secs', 'duration_seconds'],
  ['duration in seconds', 'duration_seconds'],
  ['length', 'duration_seconds'],
  ['length seconds', 'duration_seconds'],
  ['length in seconds', 'duration_seconds'],
  ['aspect ratio', 'aspect_ratio'],
  ['ratio', 'aspect_ratio'],
  ['orientation', 'aspect_ratio'],
  ['style', 'style'],
]);

/** The field that a header names among other words, e.g. `Video Prompt` or `Prompt (EN)`; else null. */
export function qualifiedField(header: string): PlainField | null {
  const plain = header.replace(/\([^)]*\)|\[[^\]]*\]/g, ' ');
  const words = wordsOf(plain).filter((word) => !qualifiers.has(word));
  return qualifiedNames.get(words.join(' ')) ?? null;
}

/** What people call a field, the likeliest first. */
const likely: Readonly<Record<PlainField, readonly string[]>> = {
  id: 'id number no nr num code sku key shot scene clip row name title slug'.split(' '),
  prompt:
    'prompt prompts description desc brief script text concept idea visual visuals narrative story copy content action scene shot'.split(
      ' ',
    ),
  duration_seconds: 'duration length runtime seconds secs dur'.split(' '),
  aspect_ratio: 'ratio aspect orientation'.split(' '),
  style: 'style'.split(' '),
};

/** The header that was probably meant for a field, or null. */
export function likelyHeader(field: PlainField, headers: readonly string[]): string | null {
  const worded = headers.map((header) => ({ header, words: new Set(wordsOf(header)) }));
  const candidates = worded.filter(({ words }) => !words.has('negative') && !words.has('neg'));
  for (const word of likely[field]) {
    const found = candidates.find(({ words }) => words.has(word));
    if (found) return found.header;
  }
  return null;
}

/** `ShotDescription`, `shot_description` and `Shot description` are the same two words. */
function wordsOf(header: string): readonly string[] {
  return header
    .normalize('NFKC')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{Letter}\p{Number}]+/u)
    .filter((word) => word !== '');
}
