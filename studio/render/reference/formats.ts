export type ReferenceKind = 'image' | 'video' | 'audio' | 'document';

interface Format {
  readonly kind: ReferenceKind;
  /** FFmpeg's demuxer for it. Always named, because its own guess goes by the file name and may open playlists. */
  readonly demuxer?: string;
}

/** Everything that may be used as a reference, by the media type that its content shows. */
const formats: Readonly<Record<string, Format>> = {
  'image/jpeg': { kind: 'image' },
  'image/png': { kind: 'image' },
  'image/webp': { kind: 'image' },
  'image/gif': { kind: 'image' },
  'image/bmp': { kind: 'image' },
  'image/avif': { kind: 'image' },
  'video/mp4': { kind: 'video', demuxer: 'mov' },
  'video/x-m4v': { kind: 'video', demuxer: 'mov' },
  'video/quicktime': { kind: 'video', demuxer: 'mov' },
  'video/webm': { kind: 'video', demuxer: 'matroska' },
  'video/matroska': { kind: 'video', demuxer: 'matroska' },
  'audio/mpeg': { kind: 'audio', demuxer: 'mp3' },
  'audio/mp4': { kind: 'audio', demuxer: 'mov' },
  'audio/x-m4a': { kind: 'audio', demuxer: 'mov' },
  'audio/aac': { kind: 'audio', demuxer: 'aac' },
  'audio/wav': { kind: 'audio', demuxer: 'wav' },
  // Films without a picture, as `probeReference` names them.
  'audio/webm': { kind: 'audio', demuxer: 'matroska' },
  'audio/matroska': { kind: 'audio', demuxer: 'matroska' },
  'audio/flac': { kind: 'audio', demuxer: 'flac' },
  'audio/ogg': { kind: 'audio', demuxer: 'ogg' },
  'audio/ogg; codecs=opus': { kind: 'audio', demuxer: 'ogg' },
  'application/pdf': { kind: 'document' },
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': { kind: 'document' },
  'text/plain': { kind: 'document' },
};

export function formatOf(mimeType: string): Format | null {
  return formats[mimeType] ?? null;
}
