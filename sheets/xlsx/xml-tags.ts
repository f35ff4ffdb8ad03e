/** The attributes of a tag, as written between its name and its end. */
export function attributesOf(tag: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', double, single] of tag.matchAll(/(?<![\w:.-])([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    attributes.set(name, decodeEntities(double ?? single ?? ''));
  }
  return attributes;
}

/**
 * Every tag of a name, whatever prefix it has, as its attributes. No pattern here looks past the next `<`, so that a tag
 * which is never closed costs its own length and not that of all that follows.
 */
export function* tagsOf(xml: string, name: string): Generator<ReadonlyMap<string, string>, void, undefined> {
  for (const [, tag = ''] of xml.matchAll(new RegExp(`<(?:\\w+:)?${name}(?=[\\s/>])([^<>]*)>`, 'g')))
    yield attributesOf(tag);
}

const [opens, closes, bang] = [0x3c, 0x3e, 0x21];

/** Whether a tag is not closed before the next one opens: what reads workbooks would take ages over many of them. */
export function hasOpenTag(xml: Buffer): boolean {
  for (let at = xml.indexOf(opens); at !== -1; ) {
    const next = xml.indexOf(opens, at + 1);
    const close = xml.indexOf(closes, at + 1);
    const isOpen = close === -1 || (next !== -1 && next < close);
    if (isOpen && xml[at + 1] !== bang) return true; // comments and character data may have any sign
    at = next;
  }
  return false;
}

const entities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|\w+);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return entities.get(name) ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
