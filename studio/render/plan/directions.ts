/** What a line or a sentence of a brief says to the film, and what is left of it for the screen. */
export interface Directed {
  readonly shown: string;
  /** Followed, not shown. */
  readonly directions: readonly string[];
}

const labels = [
  'camera(?: \\w+)?|shot(?: type)?|angle|lens|framing|lighting|light|music|sound(?: design|track)?|s?fx|vfx|audio|style',
  'visual style|mood|tone|look|palette|colou?rs?(?: palette| grade)?|grading|pace|pacing|tempo|transitions?|duration',
  'length|runtime|aspect(?: ratio)?|ratio|format|resolution|fps|frame rate|negative(?: prompt)?|avoid|location|setting',
  'wardrobe|props|casting|notes?|director.?s notes?|production notes?|target(?: audience)?|audience|platform|seed|model',
  'deliverables?|references?|kamera|musik|stil|stimmung|musique|caméra|música|cámara',
].join('|');
const moves =
  'pans?|tilts?|zooms?|push|dolly|dollies|tracks?|moves?|pulls?|follows?|orbits?|circles?|glides?|drifts?|rises?';
const turn = '(?:(?:smash|match|hard|jump|quick|whip)[- ])?(?:cut|dissolve|wipe|fade)(?: back)?';

/** Whole sentences that speak to the crew. */
const orders: readonly RegExp[] = [
  new RegExp(`^(?:${labels})\\s*[:=]\\s*\\S`, 'iu'),
  new RegExp(`^${turn}(?: (?:to|in|out|up|from|through))+(?: black| white)?\\s*[:.…]*$`, 'iu'),
  new RegExp(`^(?:the )?camera (?:\\p{L}+ly |then )*(?:${moves}|lingers?|holds?|stays?|shakes?)(?!\\p{L})`, 'iu'),
  /^(?:(?:very )?(?:slow(?:ly)?|fast|quick|gentle|smooth) )?(?:zoom|pan|tilt|dolly|push|pull|rack focus)[- ](?:in|out|left|right|up|down|back|over|across)(?!\p{L})[^!?]*$/iu,
  /^(?:beat|pause|silence|montage|b-?roll|the end of film|title card|black screen)\s*[.:…]?$/iu,
];

const negation = "(?:no|without(?: any)?|avoid(?: any)?|(?:do not|don['’]t) (?:use|show|add|put|include)(?: any)?)";
const between = '(?:\\p{L}+,? (?:or |and |no )?){0,3}?';
const endsThere = '(?=\\s*(?:$|[,.;:!)–—]|(?:on|in|at|or|and|please|whatsoever|anywhere|over|needed)(?!\\p{L})))';
const textWords = '(?:text|texts|titles?|captions?|subtitles?|words|lettering|typography|writing)(?: overlays?)?';
const noText = new RegExp(
  [
    `(?<!\\p{L})${negation} ${between}(?:on[- ]?screen )?${textWords}${endsThere}`,
    '\\btext[- ]free\\b',
    '\\b(?:ohne|keine?n?|sans|sin|senza|sem|zonder) (?:texte?|untertitel|schrift|titres?|sous-titres|texto|testo|titoli|tekst)\\b',
    '(?:テキスト|文字|字幕)(?:は)?(?:なし|無し|不要|入れない)|(?:无|不要|没有|不加)(?:任何)?(?:文字|字幕)|(?:텍스트|자막)\\s?없',
  ].join('|'),
  'iu',
);
const otherThings = 'logos?|watermarks?|people|faces|voice-?overs?|narration|dialogue|music|sound';
const noOthers = new RegExp(
  `(?<!\\p{L})${negation} ${between}(?:${otherThings})(?=\\s*(?:$|[.!)]|,? (?:no|or|and)\\s))`,
  'iu',
);
const politely = /^(?:(?:please|use|keep it|strictly|absolutely|bitte|there (?:is|should be))[\s,]*)?$/iu;

const shot =
  '(?:(?:extreme|very|medium|establishing|wide|long|full|tracking|overhead|aerial|drone|close|macro|low|high|pov|two)[- ]?)+(?:shot|angle|up)?';
/** Labels in front of the text to show. */
const prefixes: readonly RegExp[] = [
  /^#{1,6}\s+/u,
  /^(?:[-*•▪◦]|\d{1,2}[.)])\s+(?=\S)/u,
  /^[[(]?\d{1,2}(?::\d{2})?\s?s?\s?[-–—]\s?\d{1,2}(?::\d{2})?\s?s?(?:ec(?:onds)?)?[\])]?\s*[:.–—-]?\s+/iu,
  /^(?:scene|shot|frame|beat|act|panel|clip|sequence|szene|scène|escena|scena)\s*#?\d{1,3}[a-z]?\s*(?:[:.–—-]\s*|$)/iu,
  new RegExp(`^${turn} (?:to|in|out|up)(?: black| white)?\\s*[:.…]\\s*`, 'iu'),
  /^(?:[vo]\.?[os]\.?|voice[- ]?over|narrator|narration|super|title(?: card)?|on[- ]?screen(?: text)?|text(?: on[- ]?screen| overlay)?|caption|headline|copy|tagline|slogan|cta|call to action|end card|sprecher(?:in)?|erzähler|titel|texte|titre)\s*[:=]\s*/iu,
  new RegExp(`^${shot}\\s*(?:of|on|:|–|—)\\s+`, 'iu'),
];
/** INT. KITCHEN - NIGHT, as screenplays name a place. */
export const heading = /^(?:\d+[.)]?\s*)?(?:INT|EXT|I\/E|INT\.?\/EXT)\b\.?\s[\p{Lu}\p{N}\s'’/,.–—-]*(?!\p{Ll})/u;
const stageNote =
  /^(?:beat|pause|cont.?d|continued|[vo]\.?[os]\.?$|off|s?fx|music|sound|camera|cut|fade|zoom|pan|close|wide|slow|fast|smil|laugh|whisper|silen|quiet|loud|softly|angr|happ|sad|to camera|optional|note|tbd|todo|internal|do not|don.t|no\b)/iu;

/** Scene headings, notes in brackets, and rules between paragraphs. */
export function readLine(line: string): Directed {
  const directions: string[] = [];
  const take = (direction: string) => {
    directions.push(direction.trim());
    return ' ';
  };
  const shown = line
    .trim()
    .replaceAll(/\*\*(.+?)\*\*|__(.+?)__|`(.+?)`/gu, '$1$2$3')
    .replace(heading, take)
    .replaceAll(/\[[^\]]{1,200}\]/gu, take)
    .replaceAll(/\s*\(([^)]{1,200})\)/gu, (whole, inner: string) =>
      stageNote.test(inner) ? take(whole).trim() : whole,
    );
  return { shown: /[\p{L}\p{N}\p{S}]/u.test(shown.replaceAll(/[=_*#~|]/g, '')) ? shown : '', directions };
}

/** Removes labels and keeps orders to the film apart. */
export function readSentence(sentence: string): Directed {
  const directions: string[] = [];
  let shown = sentence;
  for (const prefix of [/^/u, ...prefixes]) {
    const label = prefix.exec(shown)?.[0];
    if (label === undefined) continue;
    if (label !== '') directions.push(label.trim());
    shown = label === '' ? shown : capitalised(shown.slice(label.length).trim());
    if (orders.some((order) => order.test(shown)) || forbids(shown))
      return { shown: '', directions: [...directions, shown] };
  }
  return withoutClauses(shown, directions);
}

/** "No text on screen" is an order; "No words can say it" is a line of the film. */
function forbids(sentence: string): boolean {
  return [noText, noOthers].some((pattern) => {
    const found = pattern.exec(sentence);
    return found !== null && politely.test(sentence.slice(0, found.index));
  });
}

const negativeClause = /[,;]\s*((?:and |but |with )?(?:no|without|ohne|sans|sin)\s[^,;.!?]{2,50})(?=[,;.!?]|$)/giu;

/** "A fox in the snow, no text on screen." */
function withoutClauses(sentence: string, directions: readonly string[]): Directed {
  const taken: string[] = [];
  const shown = sentence.replaceAll(negativeClause, (whole, clause: string) => {
    if (!noText.test(clause) && !noOthers.test(clause)) return whole;
    taken.push(clause);
    return '';
  });
  return { shown: shown.trim(), directions: [...directions, ...taken] };
}

/** Whether these directions ask for a film without written words. */
export function wantsNoText(directions: readonly string[]): boolean {
  return directions.some((direction) => noText.test(direction));
}

function capitalised(text: string): string {
  return text.replace(/^\p{Ll}/u, (letter) => letter.toLocaleUpperCase('en'));
}
