import type { DeskContext } from '../desk-env.js';

/** The headers of a file for a spreadsheet. */
function csvHeaders(name: string): Readonly<Record<string, string>> {
  return {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${name.replaceAll(/[^\w.-]/g, '_')}.csv"`,
  };
}

/** A small file to take away. @param name without its ending */
export function csv(c: DeskContext, { name, text }: { readonly name: string; readonly text: string }): Response {
  return c.body(text, 200, csvHeaders(name));
}

/** A file of any length, line by line. @param name without its ending */
export function streamedCsv(c: DeskContext, name: string, lines: AsyncIterable<string>): Response {
  return c.body(ReadableStream.from(bytesOf(lines)) as unknown as ReadableStream, 200, csvHeaders(name));
}

async function* bytesOf(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const line of lines) yield Buffer.from(line);
}
