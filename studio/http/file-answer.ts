import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { Readable } from 'node:stream';
import { Problem } from '../problem.js';
import { MemoryAnswer } from './memory-answer.js';

export interface ServedFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** Hex. */
  readonly sha256: string;
  readonly mimeType: string;
}

/** Answers with the file, or the range asked for (RFC 9110, one range; several get the whole file). */
export function fileAnswer(file: ServedFile, request: Request): Response {
  const etag = `"${file.sha256}"`;
  const headers = { ETag: etag, 'Accept-Ranges': 'bytes', 'Cache-Control': 'private, max-age=3600' };
  if (matches(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers });
  const condition = request.headers.get('if-range');
  const asked = condition === null || condition === etag ? request.headers.get('range') : null;
  const range = asked === null ? null : rangeOf(asked, file.sizeBytes);
  const { start, end } = range ?? { start: 0, end: file.sizeBytes - 1 };
  const body = request.method === 'HEAD' ? null : bytesOf(file, start, end);
  const init = {
    status: range ? 206 : 200,
    headers: {
      ...headers,
      'Content-Type': file.mimeType,
      'Content-Length': String(end - start + 1),
      'X-Content-Type-Options': 'nosniff',
      ...(range && { 'Content-Range': `bytes ${start}-${end}/${file.sizeBytes}` }),
    },
  };
  return body instanceof Uint8Array ? new MemoryAnswer(body, init) : new Response(body, init);
}

/** Posters and captions: reading one at once takes less than handing it to the pool of threads three times. */
const readAtOnceBytes = 64 * 1024;

function bytesOf(
  { path, sizeBytes }: ServedFile,
  start: number,
  end: number,
): ReadableStream | Uint8Array<ArrayBuffer> | null {
  if (sizeBytes === 0) return null;
  if (end - start < readAtOnceBytes) return readAtOnce(path, start, end);
  return Readable.toWeb(createReadStream(path, { start, end })) as ReadableStream;
}

function readAtOnce(path: string, start: number, end: number): Uint8Array<ArrayBuffer> {
  const file = openSync(path, 'r');
  try {
    const bytes = new Uint8Array(end - start + 1);
    const readBytes = readSync(file, bytes, 0, bytes.length, start);
    // Otherwise the beginning of a file that was cut would pass for the whole of it.
    if (readBytes < bytes.length) throw new Error(`Cannot send file: ${path} is shorter than it was`);
    return bytes;
  } finally {
    closeSync(file);
  }
}

function matches(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  return ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((each) => each.trim().replace(/^W\//, '') === etag);
}

/** Null for a header to ignore: another unit, several ranges, nonsense. */
function rangeOf(header: string, sizeBytes: number): { start: number; end: number } | null {
  const found = /^bytes\s*=\s*(\d*)\s*-\s*(\d*)$/i.exec(header.trim());
  const [first, last] = [found?.[1] ?? '', found?.[2] ?? ''];
  if (!found || (first === '' && last === '')) return null;
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null;
  if (start >= sizeBytes || (first === '' && Number(last) === 0)) {
    const message = `Cannot send range: ${header} is outside of the file's ${sizeBytes} bytes`;
    throw new Problem('range_not_satisfiable', message, { 'Content-Range': `bytes */${sizeBytes}` });
  }
  return { start, end };
}
