const hebrew = /\p{Script=Hebrew}/u;

/**
 * A text as it is printed: quotation marks that open and close, an apostrophe, dashes and an ellipsis for what a
 * keyboard has. Feet and inches, and the marks that Hebrew writes within its abbreviations, are no quotation marks.
 */
export function typographic(text: string): string {
  const dashed = text
    .replaceAll(/(?<=\s|^)-{2,3}(?=\s|$)|(?<=[\p{L}\p{N}])--(?=[\p{L}\p{N}])/gu, '—')
    .replaceAll(/(?<=\s)-(?=\s)/g, '–')
    .replaceAll(/\.{3,}/g, '…')
    .replaceAll(/[\u2150-\u215e]/g, (fraction) => fraction.normalize('NFKC'));
  return hebrew.test(dashed) ? dashed : singleMarks(doubleMarks(dashed));
}

const opensAfter = /^$|[\s\p{Ps}\p{Pi}\p{Pd}/]/u;

function doubleMarks(text: string): string {
  let open = false;
  return text.replaceAll('"', (_, at: number) => {
    const [before, after] = [text.slice(0, at).slice(-1), text.slice(at + 1, at + 2)];
    if (!open && /\d/.test(before) && !/[\p{L}\p{N}]/u.test(after)) return '″';
    open = open ? opensAfter.test(before) && /\S/.test(after) : opensAfter.test(before);
    return open ? '“' : '”';
  });
}

function singleMarks(text: string): string {
  return text
    .replaceAll(/(?<=\d)'(?=\d)/g, '′')
    .replaceAll(/(?<=^|\s)'(?=(?:\d\d|n'|tis |twas ))/gi, '’')
    .replaceAll(/(?<=^|[\s\p{Ps}\p{Pi}\p{Pd}])'(?=\S)(?=.*\S'(?![\p{L}\p{N}]))/gu, '‘')
    .replaceAll("'", '’');
}
