/**
 * A second reader of CSV, written for these tests alone and sharing nothing with the first: it walks over the
 * characters of a string. Quotes double inside quotes; a quote with text behind it ends the quoting and stays text; a
 * quote amid text is text.
 */
export interface PlainRecord {
  readonly cells: readonly string[];
  readonly line: number;
}

export interface PlainCsv {
  readonly records: readonly PlainRecord[];
  /** Line of the quote that is never closed. */
  readonly openQuoteLine: number | null;
}

export function readPlainCsv(text: string, delimiter: string, firstLine = 1): PlainCsv {
  const records: PlainRecord[] = [];
  let cells: string[] = [];
  let cell = '';
  let state: 'start' | 'plain' | 'quoted' = 'start';
  let line = firstLine;
  let recordLine = firstLine;
  let quoteLine = firstLine;
  let at = 0;
  const endCell = () => {
    cells.push(cell);
    cell = '';
    state = 'start';
  };
  while (at < text.length) {
    const char = text[at] ?? '';
    const lineEnd = char === '\r' && text[at + 1] === '\n' ? '\r\n' : char === '\r' || char === '\n' ? char : '';
    if (state === 'quoted') {
      if (char === '"' && text[at + 1] === '"') {
        cell += '"';
        at += 2;
      } else if (char === '"') {
        const next = text.slice(at + 1);
        const closes = next === '' || next.startsWith(delimiter) || next.startsWith('\r') || next.startsWith('\n');
        if (!closes) cell = `"${cell}"`;
        state = 'plain';
        at += 1;
      } else {
        if (lineEnd !== '') line += 1;
        cell += lineEnd || char;
        at += (lineEnd || char).length;
      }
    } else if (lineEnd !== '') {
      endCell();
      records.push({ cells, line: recordLine });
      cells = [];
      line += 1;
      recordLine = line;
      at += lineEnd.length;
    } else if (text.startsWith(delimiter, at)) {
      endCell();
      at += delimiter.length;
    } else if (char === '"' && state === 'start') {
      state = 'quoted';
      quoteLine = line;
      at += 1;
    } else {
      state = 'plain';
      cell += char;
      at += 1;
    }
  }
  if (state === 'quoted') return { records, openQuoteLine: quoteLine };
  // A text that ends with a line end has no record after it.
  if (cells.length > 0 || cell !== '' || state !== 'start') {
    endCell();
    records.push({ cells, line: recordLine });
  }
  return { records, openQuoteLine: null };
}
