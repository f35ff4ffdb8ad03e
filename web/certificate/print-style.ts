/** A line at the foot of each page of paper; only a style sheet can put one there. */
export function printStyle(words: string): string {
  return `@page{@bottom-left{content:${cssString(words)};font:8.5pt Inter,system-ui,sans-serif;color:#555}}\n`;
}

/** No character of it ends the string. */
function cssString(text: string): string {
  const safe = text.replaceAll(/["\\\p{Cc}<>]/gu, (character) => `\\${character.codePointAt(0)?.toString(16)} `);
  return `"${safe}"`;
}
