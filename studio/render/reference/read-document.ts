import { readFile, stat } from 'node:fs/promises';

const maximumBytes = 64 * 1024 * 1024;
/** A film of two minutes shows a page or two; more pages would only cost time. */
const maximumPages = 20;
const maximumCharacters = 20_000;

/**
 * The words of a document, from its beginning, one paragraph per line. Only for the child: it parses untrusted files.
 *
 * @throws {Error} when it is damaged, locked, or carries scripts
 */
export async function readDocument(path: string, mimeType: string): Promise<string> {
  const { size } = await stat(path);
  if (size > maximumBytes) throw new Error(`the document has ${size} bytes; at most ${maximumBytes} are allowed`);
  const bytes = await readFile(path);
  const text = await read(bytes, mimeType);
  return text
    .slice(0, maximumCharacters)
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/\n{2,}/g, '\n')
    .trim();
}

/** Names of a word processor's parts that run or embed something; a ZIP file has its names in clear. */
const activeParts = ['vbaProject.bin', 'vbaData.xml', 'word/activeX/', 'word/embeddings/', 'oleObject'];

async function read(bytes: Buffer, mimeType: string): Promise<string> {
  switch (mimeType) {
    case 'application/pdf':
      return readPdf(bytes);
    case 'text/plain':
      return new TextDecoder('utf-8').decode(bytes);
    default: {
      if (activeParts.some((part) => bytes.includes(part))) {
        throw new Error('the document carries macros or other files; send one without them');
      }
      const { default: mammoth } = await import('mammoth');
      return (await mammoth.extractRawText({ buffer: bytes })).value;
    }
  }
}

async function readPdf(bytes: Buffer): Promise<string> {
  const { getDocumentProxy } = await import('unpdf');
  const pdf = await getDocumentProxy(new Uint8Array(bytes), { isEvalSupported: false });
  try {
    if (await pdf.getJSActions()) throw new Error('the PDF carries scripts; send one without them');
    if (await pdf.getAttachments()) throw new Error('the PDF carries other files; send one without them');
    const pages: string[] = [];
    for (let number = 1; number <= Math.min(pdf.numPages, maximumPages); number++) {
      const page = await pdf.getPage(number);
      if (await page.getJSActions()) throw new Error('the PDF carries scripts; send one without them');
      const { items } = await page.getTextContent();
      pages.push(items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join(''));
    }
    return pages.join('\n');
  } finally {
    await pdf.destroy();
  }
}
