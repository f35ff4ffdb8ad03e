import { readingSeconds } from './plan/reading-time.js';
import { screenTextOf } from './plan/screen-text.js';
import { FaceFinder } from './text/face-finder.js';

export interface ReviewedBrief {
  readonly prompt: string;
  readonly durationSeconds: number;
  /** Of references, as they would stand on their name plates; null for none. */
  readonly descriptions: readonly (string | null)[];
}

export interface BriefReview {
  /** Why no film can be made of it, each with its field. */
  readonly problems: readonly string[];
  /** What the film does with the text that its author may not expect. */
  readonly assumptions: readonly string[];
}

/** Of the comfortable reading time, what most people need at least. */
const leastComfort = 0.5;
const maxNamed = 5;
const written = /[\p{L}\p{M}\p{N}]/u;

/** Looks at briefs before they are priced. Draws nothing; a font is read when the first text needs it. */
export function createBriefReview(): (brief: ReviewedBrief) => BriefReview {
  const finder = new FaceFinder('sc');
  const missingIn = (text: string) => finder.missing(text.normalize('NFC'), 'plain');

  return ({ prompt, durationSeconds, descriptions }) => {
    if (!/[\p{L}\p{N}]/u.test(prompt)) {
      return { problems: ['prompt: has no words; write a sentence'], assumptions: [] };
    }
    const { sentences, directions, silent } = screenTextOf(prompt);
    const missing = missingIn(sentences.join(' '));
    const problems = [
      ...withoutFont('prompt', missing),
      ...descriptions.flatMap((text, index) => withoutFont(`references[${index}].description`, missingIn(text ?? ''))),
    ];
    const assumptions: string[] = [];
    if (missing.some((character) => !written.test(character))) {
      assumptions.push('Symbols in the text that no font here has are left out');
    }
    if (silent) assumptions.push('No text is shown in the film, as the brief asks');
    else if (directions.length > 0) assumptions.push('Directions in the brief are followed, and not shown as text');
    const needed = sentences.reduce((sum, sentence) => sum + readingSeconds(sentence), 0);
    if (!silent && needed * leastComfort > durationSeconds) {
      assumptions.push('The text is longer than can be read in the film: it is shown in small type, and too briefly');
    }
    return { problems, assumptions };
  };
}

/** Symbols may be left out, letters may not. */
function withoutFont(field: string, missing: readonly string[]): string[] {
  const letters = missing.filter((character) => written.test(character));
  if (letters.length === 0) return [];
  const named = letters.slice(0, maxNamed).map((letter) => `"${letter}" (U+${hex(letter)})`);
  const rest = letters.length - named.length;
  return [`${field}: no font here draws ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}; use another script`];
}

function hex(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
