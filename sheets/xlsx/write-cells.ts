import { zipSync } from 'fflate';
import { columnLetter } from '../column.js';
import { fileError } from '../findings/manifest-error.js';
import { brokenWorkbook } from './broken-workbook.js';
import { CellCursor } from './cell-cursor.js';
import type { WorkbookPackage } from './workbook-package.js';
import { type Attributes, readXml } from './xml-events.js';

/** A new text for a cell. Rows and columns count from 0. */
export interface NewText {
  readonly row: number;
  readonly column: number;
  readonly text: string;
}

/**
 * Writes a workbook with new texts in some cells of one sheet. Their styles stay, and every other part byte for byte.
 *
 * @param part name of the sheet's part
 * @throws ManifestError for a cell with a formula, which would be lost, and a sheet that is not in UTF-8.
 */
export async function withTexts(parts: WorkbookPackage, part: string, texts: readonly NewText[]): Promise<Buffer> {
  const files: Record<string, Uint8Array> = {};
  for (const name of parts.names()) {
    const bytes = await wholePart(parts, name);
    files[name] = parts.isSame(name, part) ? await patched(bytes, part, texts) : bytes;
  }
  return Buffer.from(zipSync(files));
}

async function wholePart(parts: WorkbookPackage, name: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of parts.read(name)) pieces.push(piece);
  return Buffer.concat(pieces);
}

interface CellSpan {
  readonly from: number;
  readonly to: number;
  readonly tag: string;
  readonly attributes: Attributes;
  readonly text: string;
}

async function patched(bytes: Buffer, part: string, texts: readonly NewText[]): Promise<Buffer> {
  const xml = bytes.toString('utf8');
  if (!Buffer.from(xml).equals(bytes)) throw brokenWorkbook(`its ${part} is not UTF-8`);
  let written = '';
  let at = 0;
  for (const span of await spansOf(bytes, xml, part, texts)) {
    written += xml.slice(at, span.from) + cellXml(span);
    at = span.to;
  }
  return Buffer.from(written + xml.slice(at));
}

async function spansOf(
  bytes: Buffer,
  xml: string,
  part: string,
  texts: readonly NewText[],
): Promise<readonly CellSpan[]> {
  const wanted = new Map(texts.map(({ row, column, text }) => [`${row} ${column}`, text]));
  const cursor = new CellCursor();
  const spans: CellSpan[] = [];
  // The parser does not report a byte order mark, which is a character of the text.
  const mark = xml.startsWith('\ufeff') ? 1 : 0;
  let open: Omit<CellSpan, 'to'> | null = null;
  await readXml(once(bytes), part, {
    open(name, attributes, end) {
      if (name === 'row') cursor.openRow(attributes);
      if (name === 'f' && open) throw refusedFormula(cursor);
      if (name !== 'c') return;
      cursor.openCell(attributes);
      const text = wanted.get(`${cursor.row} ${cursor.column}`);
      const from = xml.lastIndexOf('<', end + mark - 1);
      const tag = /^<([^\s/>]+)/.exec(xml.slice(from, from + 64))?.[1] ?? 'c';
      open = text === undefined ? null : { from, tag, attributes, text };
    },
    close(name, end) {
      if (name === 'c' && open) spans.push({ ...open, to: end + mark });
      if (name === 'c') open = null;
    },
  });
  return spans;
}

function refusedFormula({ row, column }: CellCursor) {
  const address = `${columnLetter(column)}${row + 1}`;
  return fileError(
    'formula_repair',
    `${address} is a formula, which a repair would replace; correct it there, or write CSV`,
  );
}

function cellXml({ tag, attributes, text }: CellSpan): string {
  const prefix = tag.includes(':') ? tag.replace(/[^:]*$/, '') : '';
  const kept = Object.entries(attributes).filter(([name]) => name !== 't');
  const list = [...kept, ['t', 'inlineStr'] as const].map(([name, value]) => ` ${name}="${escaped(value)}"`).join('');
  const content = `<${prefix}is><${prefix}t xml:space="preserve">${escaped(text)}</${prefix}t></${prefix}is>`;
  return `<${tag}${list}>${content}</${tag}>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer, void, undefined> {
  yield bytes;
}
