import type { FileHandle } from 'node:fs/promises';

export type ReferenceKind = 'image' | 'video' | 'audio' | 'document';

/** Documents that carry no code: a PDF, a DOCX and plain text. */
const documents: ReadonlySet<string> = new Set([
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
]);

const wanted = 'use an image, a video, a sound, a PDF, a DOCX or plain text';

/**
 * Detects what a file is by its content; its name is ignored.
 *
 * @returns its kind, or why it cannot be a reference
 */
export async function typeOfFile(
  path: string,
  file: FileHandle,
): Promise<{ kind: ReferenceKind } | { refused: string }> {
  if (await isPlainPicture(file)) return { kind: 'image' };
  const { fileTypeFromFile } = await import('file-type');
  const found = await fileTypeFromFile(path).catch(() => undefined);
  if (!found)
    return (await looksLikeText(file)) ? { kind: 'document' } : { refused: `its content is unknown; ${wanted}` };
  const { mime } = found;
  if (documents.has(mime)) return { kind: 'document' };
  const family = /^(image|video|audio)\//.exec(mime)?.[1];
  if (family !== undefined && !mime.includes('svg') && !notPixels.has(mime)) return { kind: family as ReferenceKind };
  return { refused: `its content is ${mime}; ${wanted}` };
}

/** The first bytes of the commonest pictures, recognised without loading the library for all kinds (a fifth of a check). */
const pictures = ['\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'GIF87a', 'GIF89a'];

async function isPlainPicture(file: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(8), 0, 8, 0);
  const head = buffer.toString('latin1', 0, bytesRead);
  return pictures.some((start) => head.startsWith(start));
}

/** Drawings and project files that file-type counts as images: nothing shows them directly. */
const notPixels: ReadonlySet<string> = new Set([
  'image/vnd.dwg',
  'image/vnd.adobe.photoshop',
  'image/x-xcf',
  'image/vnd.ms-photo',
]);

const textBytesLookedAt = 64 * 1024;
/** Longer than any brief that a person writes. */
const maxTextBytes = 4 * 1024 * 1024;

/** UTF-8 without control characters; markup that a browser would run is not plain text. */
async function looksLikeText(file: FileHandle): Promise<boolean> {
  if ((await file.stat()).size > maxTextBytes) return false;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(textBytesLookedAt), 0, textBytesLookedAt, 0);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, bytesRead), { stream: true });
  } catch {
    return false;
  }
  // oxlint-disable-next-line no-control-regex -- what text never has
  if (/[\0-\x08\x0b\x0e-\x1f]/.test(text)) return false;
  return !/^\s*(?:<[!?a-z]|#!)|<(?:script|svg|iframe|html)[\s>]/i.test(text);
}
