import { type Finding, findingAt, wholeFile } from '../../sheets/findings/finding.js';
import { excerptOf } from '../../sheets/text/excerpt.js';

/** Blanks that editors and web pages use instead of plain ones; YAML takes them for letters. */
const oddIndent = /^([ \t]*)([\u00a0\u1680\u2000-\u200b\u202f\u205f\u2060\u3000\ufeff])/gm;
const shown = 20;

const names: ReadonlyMap<string, string> = new Map([
  ['\u00a0', 'a no-break space'],
  ['\u2003', 'an em space'],
  ['\u2002', 'an en space'],
  ['\u2009', 'a thin space'],
  ['\u200b', 'a zero-width space'],
  ['\u202f', 'a narrow no-break space'],
  ['\u3000', 'an ideographic space'],
]);

/** Finds lines indented with something other than plain blanks: a text that looks right but is not. */
export function oddBlankFindings(text: string): readonly Finding[] {
  const findings: Finding[] = [];
  let line = 1;
  let counted = 0;
  for (const { 1: before = '', 2: blank = '', index } of text.matchAll(oddIndent)) {
    if (findings.length === shown) break;
    for (; counted < index; counted += 1) if (text[counted] === '\n') line += 1;
    const from = index + before.length;
    const code = (blank.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    const message = `the line is indented with ${names.get(blank) ?? 'an odd space'} (U+${code}); use plain blanks`;
    const excerpt = excerptOf(text, { from, to: from + 1, line });
    findings.push(findingAt({ ...wholeFile, line }, { severity: 'error', code: 'odd_blank', message, excerpt }));
  }
  return findings;
}
