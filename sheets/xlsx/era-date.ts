/** Calendars that count years differently, by the language in a format; Thailand's also by a number of its own. */
const calendars: readonly (readonly [named: RegExp, calendar: string])[] = [
  [/^(?:0*411|ja(?:-jp)?\b)/i, 'ja-JP-u-ca-japanese'],
  [/^(?:0*404|zh-tw\b)/i, 'zh-TW-u-ca-roc'],
  [/^(?:0*[1d]?070{2}[0-9a-f]{2}|1070000|107041e|d07|th-th.*,107)/i, 'th-TH-u-ca-buddhist'],
];

/** What a format is made of: quoted words, signs that stand for themselves, settings, codes of years and eras. */
const pieces = /"[^"]*"|\\.|_.|\*.|\[[^\]]*\]|g+|e+|y+|b+|./gis;

/**
 * Fills the year and the era of a date into a format that asks for those of another calendar: `ggge` in Japanese is
 * 令和8. All other codes stay.
 */
export function withEra(code: string, date: Date): string {
  const named = /\[\$[^\]]*-([^\]]*)\]/.exec(code)?.[1] ?? '';
  const calendar = calendars.find(([name]) => name.test(named))?.[1];
  const hasEra = calendar !== undefined && (/[ge]/i.test(unquoted(code)) || calendar.startsWith('th'));
  if (!hasEra) return code;
  const parts = (era: 'short' | 'narrow') =>
    new Intl.DateTimeFormat(calendar, { era, year: 'numeric', timeZone: 'UTC' }).formatToParts(date);
  const eraName = (era: 'short' | 'narrow') => parts(era).find(({ type }) => type === 'era')?.value ?? '';
  const year = /\d+/.exec(parts('short').find(({ type }) => type === 'year')?.value ?? '1')?.[0] ?? '';
  return code.replace(pieces, (piece) => {
    if (/^g+$/i.test(piece)) return quoted(eraOf(piece.length, eraName));
    if (/^e+$/i.test(piece)) return quoted(year.padStart(piece.length, '0'));
    if (/^[yb]+$/i.test(piece) && calendar.startsWith('th')) return quoted(piece.length > 2 ? year : year.slice(-2));
    return piece;
  });
}

/** `g` is a letter, `gg` the first sign of the name, `ggg` the name. */
function eraOf(length: number, name: (era: 'short' | 'narrow') => string): string {
  if (length === 1) return name('narrow');
  return length === 2 ? [...name('short')].slice(0, 1).join('') : name('short');
}

function unquoted(code: string): string {
  return code.replace(/"[^"]*"|\\.|\[[^\]]*\]/g, '');
}

function quoted(text: string): string {
  return text === '' ? '' : `"${text}"`;
}
