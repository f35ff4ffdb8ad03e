import type { ArchivableAsset } from './download/asset-listing.js';

const extensions: Readonly<Record<string, string>> = {
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
  'video/x-matroska': 'mkv',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/wav': 'wav',
  'text/vtt': 'vtt',
  'text/plain': 'txt',
  'application/x-subrip': 'srt',
  'application/json': 'json',
  'application/pdf': 'pdf',
};

/** The media type of these files when the service does not state one. */
const usual: Readonly<Record<string, string>> = {
  final_video: 'mp4',
  poster: 'jpg',
  storyboard: 'jpg',
  captions: 'vtt',
};

/**
 * Names a file in its movie's folder: `final.mp4`, `poster.jpg`, `storyboard.jpg`, `captions.vtt`, and
 * `<type>.<ending>` for unknown types. The nth file of the same name gets `<type>-<n>.<ending>`.
 */
export function fileName({ type, mimeType }: Pick<ArchivableAsset, 'type' | 'mimeType'>, n: number): string {
  const ending = extensions[mimeType?.split(';')[0]?.trim().toLowerCase() ?? ''] ?? usual[type] ?? 'bin';
  return `${stem(type)}${n === 1 ? '' : `-${n}`}.${ending}`;
}

function stem(type: string): string {
  if (type === 'final_video') return 'final';
  const safe = type
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 60);
  // `movie.json` is the record of the whole, and `movie-2.json` its successor.
  return safe === '' || /^movie(-\d+)?$/i.test(safe) ? `asset-${safe}` : safe;
}
