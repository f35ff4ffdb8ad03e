import type { Readable } from 'node:stream';
import { isUtf8Name, type TextEncoding } from './encoding.js';

/** Converts a text to UTF-8 bytes without a byte order mark, so that parsers and positions see one encoding only. */
export async function* decodeText(bytes: Readable, encoding: TextEncoding): AsyncGenerator<Buffer, void, undefined> {
  if (isUtf8Name(encoding.name)) {
    yield* withoutMark(bytes, encoding.markBytes);
    return;
  }
  const { default: iconv } = await import('iconv-lite');
  const decoder = iconv.getDecoder(encoding.name);
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    const text = decoder.write(chunk);
    if (text !== '') yield Buffer.from(text);
  }
  const last = decoder.end();
  if (last) yield Buffer.from(last);
}

async function* withoutMark(bytes: Readable, markBytes: number): AsyncGenerator<Buffer, void, undefined> {
  let left = markBytes;
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    const rest = left === 0 ? chunk : chunk.subarray(Math.min(left, chunk.length));
    left -= chunk.length - rest.length;
    if (rest.length > 0) yield rest;
  }
}
