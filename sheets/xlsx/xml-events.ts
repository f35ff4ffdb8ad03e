import { TextDecoder } from 'node:util';
import { SaxesParser } from 'saxes';
import { ManifestError } from '../findings/manifest-error.js';
import { brokenWorkbook } from './broken-workbook.js';

export type Attributes = Readonly<Record<string, string>>;

/**
 * What a reader of one part receives, in the order of the text. Names come without their prefix; `end` is where the tag
 * ends in the text, in UTF-16 units.
 */
export interface XmlReader {
  open(name: string, attributes: Attributes, end: number): void;
  close?(name: string, end: number): void;
  text?(text: string): void;
}

/**
 * Reads a part of a workbook as XML. It cannot define entities, so that none can blow it up.
 *
 * @param part its name, for the message
 * @throws ManifestError when it is not well-formed, and what the reader throws.
 */
export async function readXml(pieces: AsyncIterable<Buffer>, part: string, reader: XmlReader): Promise<void> {
  const parser = new SaxesParser({ xmlns: false, position: false });
  parser.on('error', (error) => {
    throw brokenWorkbook(`its ${part} is damaged`, error);
  });
  parser.on('opentag', ({ name, attributes }) => reader.open(bare(name), attributes, parser.position));
  if (reader.close) parser.on('closetag', ({ name }) => reader.close?.(bare(name), parser.position));
  if (reader.text) {
    parser.on('text', (text) => reader.text?.(text));
    parser.on('cdata', (text) => reader.text?.(text));
  }
  let decoder: TextDecoder | null = null;
  let isEmpty = true;
  try {
    for await (const piece of pieces) {
      decoder ??= new TextDecoder(encodingOf(piece));
      parser.write(decoder.decode(piece, { stream: true }));
      isEmpty = false;
    }
    if (!isEmpty) parser.write(decoder?.decode() ?? '').close();
  } catch (error) {
    throw error instanceof ManifestError ? error : brokenWorkbook(`its ${part} is damaged`, error);
  }
}

/** UTF-8, but for the few that begin with the mark of UTF-16. */
function encodingOf(head: Buffer): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : 'utf-8';
}

const prefixed = /^[^:]*:/;

function bare(name: string): string {
  return name.includes(':') ? name.replace(prefixed, '') : name;
}

/** An attribute by its name without prefix, e.g. `id` for `r:id`. */
export function attribute(attributes: Attributes, name: string): string | undefined {
  const exact = attributes[name];
  if (exact !== undefined) return exact;
  const other = Object.keys(attributes).find((key) => key.endsWith(`:${name}`));
  return other === undefined ? undefined : attributes[other];
}

/** `1`, `true`, `on`: the format has all of them. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && /^(?:1|true|on)$/i.test(value.trim());
}
