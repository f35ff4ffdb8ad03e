/** A full stop after one of these does not end a sentence. */
const abbreviation = /(?:^|[\s(])(?:Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|vs|approx|No|Fig|e\.g|i\.e|z\.B|d\.h|p\.ej|\p{Lu})\.$/u;

/** White space becomes single spaces, control characters go, characters get their usual form. Words stay as they are. */
export function cleanText(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/[\p{White_Space}\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
}

/** The sentences of a text, clean, in order; a line of its own is a sentence even without a full stop. */
export function sentencesOf(text: string): readonly string[] {
  return text
    .split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/u)
    .map(cleanText)
    .filter((line) => line !== '')
    .flatMap(sentencesOfLine);
}

function sentencesOfLine(line: string): readonly string[] {
  const sentences: string[] = [];
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'sentence' }).segment(line)) {
    const previous = sentences.at(-1);
    const goesOn =
      previous !== undefined && (abbreviation.test(previous.trimEnd()) || !/[\p{L}\p{N}\p{S}]/u.test(segment));
    if (goesOn) sentences[sentences.length - 1] = previous + segment;
    else sentences.push(segment);
  }
  return sentences.map((sentence) => sentence.trim());
}
