import { stat } from 'node:fs/promises';
import { fileTypeFromFile } from 'file-type';
import { ChildEnded, ChildFailure, type ChildOptions, runInChild } from '../child-process.js';
import { formatOf, type ReferenceKind } from './formats.js';
import { probeImage } from './probe-image.js';
import { requirePlainText } from './probe-text.js';
import { ProbeUnavailableError } from './probe-unavailable-error.js';
import { UnsupportedReferenceError } from './unsupported-reference-error.js';

export interface ReferenceContent {
  readonly mimeType: string;
  readonly kind: ReferenceKind;
  readonly width: number | null;
  readonly height: number | null;
  readonly durationSeconds: number | null;
}

const allowed = 'send an image, a video, a sound, a PDF, a DOCX or plain text';

/**
 * Detects what a file is by its content; its name is ignored. Types, image headers and text are read here, a bounded
 * part of each; films, sounds and documents are opened in a child process only, so that a hostile file can end no more
 * than that.
 *
 * @throws {UnsupportedReferenceError} for everything that cannot be a reference: unknown or active content (SVG, HTML,
 * scripts in a PDF, macros), damaged files, and sizes past the limits
 * @throws {ProbeUnavailableError} when the check could not be made, which says nothing about the file
 */
export async function probeReference(
  path: string,
  options: Pick<ChildOptions, 'silenceMs'> = {},
): Promise<ReferenceContent> {
  if ((await stat(path)).size === 0) throw new UnsupportedReferenceError(`it is empty; ${allowed}`);
  const mimeType = await sniff(path);
  const kind = formatOf(mimeType)?.kind;
  if (kind === undefined) throw new UnsupportedReferenceError(`its content is ${mimeType}; ${allowed}`);
  if (kind === 'image') {
    const size = await probeImage(path, mimeType);
    if (mustBeDecoded.has(mimeType)) await probeInChild(path, mimeType, options);
    return { mimeType, kind, ...size, durationSeconds: null };
  }
  if (mimeType === 'text/plain') return { mimeType, kind, width: null, height: null, durationSeconds: null };
  return probeInChild(path, mimeType, options);
}

/** Their structure says little about whether they can be decoded; a PNG has checksums of all its parts. */
const mustBeDecoded: ReadonlySet<string> = new Set(['image/avif', 'image/jpeg', 'image/webp']);

/** Text has no signature: what has none must be proved to be text. */
async function sniff(path: string): Promise<string> {
  const type = await fileTypeFromFile(path).catch((cause: unknown) => {
    throw new UnsupportedReferenceError('its content is damaged', { cause });
  });
  if (type?.mime === 'image/apng') return 'image/png';
  if (type) return type.mime;
  await requirePlainText(path);
  return 'text/plain';
}

async function probeInChild(path: string, mimeType: string, options: ChildOptions): Promise<ReferenceContent> {
  try {
    return (await runInChild({ kind: 'probe', path, mimeType }, options)) as ReferenceContent; // sent by child.ts
  } catch (cause) {
    if (cause instanceof ChildFailure) throw new UnsupportedReferenceError(cause.message, { cause });
    if (cause instanceof ChildEnded) {
      throw new UnsupportedReferenceError(`reading it as ${mimeType} ended the reader`, { cause });
    }
    throw new ProbeUnavailableError({ cause });
  }
}
