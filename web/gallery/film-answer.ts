import { Readable } from 'node:stream';
import type { FilmPort } from '../../operations/batch/film-port.js';

export interface ServedFilm {
  readonly path: string;
  /** What changes with its content. */
  readonly sha256: string;
}

/** What a browser may show of an archive; anything else in it is not for a page. */
const types: Readonly<Record<string, string>> = {
  mp4: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  vtt: 'text/vtt; charset=utf-8',
};

/**
 * A file of the archive, or the range of it that is asked for (RFC 9110, one range; several are answered with the whole).
 *
 * @returns null for a file that no browser shows, or that is not there.
 */
export async function filmAnswer(films: FilmPort, file: ServedFilm, request: Request): Promise<Response | null> {
  const type = types[file.path.split('.').at(-1)?.toLowerCase() ?? ''];
  if (!type) return null;
  const etag = `"${file.sha256}"`;
  // Kept by the browser, and asked for anew: who may not see it any more sees it no more.
  const headers = { ETag: etag, 'Accept-Ranges': 'bytes', 'Cache-Control': 'private, no-cache', 'Content-Type': type };
  if (isKnown(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers });
  const found = await films.stat(file.path);
  if (found === null) return null;
  const { sizeBytes } = found;
  const condition = request.headers.get('if-range');
  const asked = condition === null || condition === etag ? request.headers.get('range') : null;
  const range = asked === null ? 'all' : rangeOf(asked, sizeBytes);
  if (range === 'none') {
    return new Response(null, { status: 416, headers: { 'Content-Range': `bytes */${sizeBytes}` } });
  }
  const { start, end } = range === 'all' ? { start: 0, end: sizeBytes - 1 } : range;
  const isEmpty = request.method === 'HEAD' || sizeBytes === 0;
  const body = isEmpty ? null : await films.open(file.path, { start, end });
  return new Response(body && (Readable.toWeb(body) as ReadableStream), {
    status: range === 'all' ? 200 : 206,
    headers: {
      ...headers,
      'Content-Length': String(end - start + 1),
      ...(range !== 'all' && { 'Content-Range': `bytes ${start}-${end}/${sizeBytes}` }),
    },
  });
}

function isKnown(ifNoneMatch: string | null, etag: string): boolean {
  return ifNoneMatch?.split(',').some((each) => each.trim().replace(/^W\//, '') === etag) ?? false;
}

/** `all` where the header is to be ignored: another unit, several ranges, nonsense. `none`: it lies outside of the file. */
function rangeOf(header: string, sizeBytes: number): 'all' | 'none' | { readonly start: number; readonly end: number } {
  const [, first = '', last = ''] = /^bytes\s*=\s*(\d*)\s*-\s*(\d*)$/i.exec(header.trim()) ?? [];
  if (first === '' && last === '') return 'all';
  if (first !== '' && last !== '' && Number(last) < Number(first)) return 'all';
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  return start >= sizeBytes || (first === '' && Number(last) === 0) ? 'none' : { start, end };
}
