import { extname } from 'node:path';

const mediaTypes: Readonly<Record<string, string>> = {
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.mov': 'video/quicktime',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.vtt': 'text/vtt; charset=utf-8',
  '.json': 'application/json',
  '.jsonl': 'application/x-ndjson',
  '.csv': 'text/csv; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
};

/** The media type for a file's name, so that a browser that opens its link shows it. */
export function mediaTypeOf(name: string): string {
  return mediaTypes[extname(name).toLowerCase()] ?? 'application/octet-stream';
}
