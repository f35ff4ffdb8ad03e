/** Latin letters a second that most people read in comfort on a screen (subtitling guidelines: 15 to 17). */
const lettersPerSecond = 15;
/** To find where the new text is. */
const noticeSeconds = 0.7;

/** How long a reader needs for a text. A Chinese character says as much as a few letters, so it counts as a few. */
export function readingSeconds(text: string): number {
  let letters = 0;
  for (const character of text) letters += weightOf(character);
  return noticeSeconds + letters / lettersPerSecond;
}

function weightOf(character: string): number {
  if (/[\p{Mn}\p{Cf}\p{Emoji_Modifier}]/u.test(character)) return 0;
  if (/[\p{Script=Han}\p{Extended_Pictographic}]/u.test(character)) return 2.7;
  if (/[\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(character)) return 2;
  return 1;
}
