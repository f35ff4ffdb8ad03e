import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import { withAlpha } from '../look/colour.js';
import { readLine, readSentence } from '../plan/directions.js';
import type { Picture } from '../reference/picture.js';
import type { SetText, Typesetter } from '../text/typesetter.js';
import { typographic } from '../text/typography.js';

/** Narrow, so that its letters can be read when it stands next to something else. */
const width = 440;
const margin = 36;
/** The sheet ends with its text, but is neither a strip nor a scroll. */
const [lowest, highest] = [420, 820];
const [headingPx, textPx] = [40, 33];
const [headingGap, textGap] = [22, 14];
/** Height over which a longer text fades into the sheet's lower edge. */
const fadePx = 120;
/** Of a paragraph: more than fit on a sheet, so that no more than this is broken into lines. */
const maxLetters = 1_500;
const paper = '#fdfcf8';

/** A sheet of paper with the beginning of a document's text on it. What does not fit fades into the sheet's edge. */
export function documentPicture(text: string, typesetter: Typesetter): Picture {
  const paragraphs: SetText[] = [];
  const tops: number[] = [];
  let end = margin;
  for (const [index, paragraph] of paragraphsForAudience(text).entries()) {
    if (end > highest) break;
    const set = typesetter.set(paragraph.slice(0, maxLetters), {
      voice: 'label',
      sizePx: index === 0 ? headingPx : textPx,
      width: width - 2 * margin,
    });
    paragraphs.push(set);
    tops.push(end);
    end += set.lines.length * set.lineHeightPx + (index === 0 ? headingGap : textGap);
  }
  const height = Math.round(Math.min(highest, Math.max(lowest, end + margin)));
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = paper;
  context.fillRect(0, 0, width, height);
  for (const [index, set] of paragraphs.entries()) {
    context.fillStyle = index === 0 ? '#1c1b1a' : '#45423e';
    for (const [line, words] of set.lines.entries()) {
      typesetter.prepare(context, { text: words, voice: 'label', sizePx: set.sizePx });
      context.direction = set.direction;
      context.textAlign = set.direction === 'rtl' ? 'right' : 'left';
      const y = (tops[index] ?? 0) + set.lineHeightPx * (line + 0.5) + set.sizePx * 0.35;
      context.fillText(words, set.direction === 'rtl' ? width - margin : margin, y);
    }
  }
  if (end > height) fadeOut(context, height);
  return { stills: [canvas], width, height, cutOut: false };
}

const houseRule =
  /^(?:internal|confidential|draft|vertraulich|intern|confidentiel|do not|don['’]t|never|always|must|avoid|only use|use only|please|note|rules?|guidelines?|not for)(?!\p{L})|(?<!\p{L})(?:must(?: not)?|do not|may not|is not allowed|not for (?:publication|release|distribution))(?!\p{L})/iu;

/** Leaves out instructions to those who work with the document ("Never crop the logo") and its dividing lines. */
export function paragraphsForAudience(text: string): readonly string[] {
  const lines = text
    .split('\n')
    .map((line) => readSentence(readLine(line).shown).shown)
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
  return lines.filter((line, index) => index === 0 || !houseRule.test(line)).map(typographic);
}

function fadeOut(context: SKRSContext2D, height: number): void {
  const fade = context.createLinearGradient(0, height - fadePx, 0, height - margin / 2);
  fade.addColorStop(0, withAlpha(paper, 0));
  fade.addColorStop(1, paper);
  context.fillStyle = fade;
  context.fillRect(0, height - fadePx, width, fadePx);
}
