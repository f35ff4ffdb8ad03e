import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import { Problem } from '../problem.js';
import { hangUp, tooLarge } from './body.js';

export interface UploadLimits {
  readonly maxBytes: number;
  /** Longest pause between two bytes. */
  readonly idleMs: number;
  /** From the first byte to the last. */
  readonly totalMs: number;
}

export interface Upload {
  /** Where the bytes are; the caller moves or removes them. */
  readonly path: string;
  readonly sizeBytes: number;
  /** Hex. */
  readonly sha256: string;
  readonly fields: Readonly<Record<string, string>>;
}

const action = 'Cannot upload reference';

/**
 * Streams a multipart form's one file into `folder`, however large, in constant memory. Its name in the form is
 * ignored.
 *
 * @throws Problem when it is not a form, has no file or several, is too large, too slow, or breaks off.
 */
export async function receiveUpload(request: Request, folder: string, limits: UploadLimits): Promise<Upload> {
  const form = openForm(request, limits);
  const path = join(folder, randomUUID());
  const fields: Record<string, string> = Object.create(null); // a field may be called __proto__
  const timer = watch(form, limits);
  let saving: Promise<Saved> | null = null;
  let problem: Problem | null = null;
  form.on('file', (name, stream) => {
    if (name !== 'file') problem ??= invalid(`a file part must be called file, not ${name}`);
    else if (saving) problem ??= invalid('the form has more than one file');
    if (problem) stream.resume();
    else {
      saving = save(stream, path, limits.maxBytes);
      saving.catch((error) => form.destroy(error));
    }
  });
  form.on('field', (name, value, { nameTruncated, valueTruncated }) => {
    if (nameTruncated || valueTruncated) problem ??= invalid(`field ${name} is too long`);
    else if (name in fields) problem ??= invalid(`field ${name} is given twice`);
    else fields[name] = value;
  });
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
    form.on(limit, () => {
      problem ??= invalid('the form has too many parts; send one file, role and description');
    });
  }
  try {
    await pipeline(bodyOf(request), timer.stream, form);
    if (problem) throw problem;
    const saved = await (saving as Promise<Saved> | null);
    if (!saved) throw invalid('the form has no file part called file');
    return { path, ...saved, fields };
  } catch (error) {
    await (saving as Promise<Saved> | null)?.catch(() => undefined);
    await rm(path, { force: true });
    throw error instanceof Problem ? error : brokenOff(error);
  } finally {
    timer.stop();
  }
}

function openForm(request: Request, { maxBytes }: UploadLimits): busboy.Busboy {
  const contentType = request.headers.get('content-type') ?? '';
  if (!/^multipart\/form-data\s*(?:;|$)/i.test(contentType)) {
    const message = `${action}: the body must be multipart/form-data, not ${contentType || 'without a type'}`;
    throw new Problem('unsupported_media_type', message);
  }
  // A form adds a little to its file: boundaries, names and the two text fields.
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes + 65_536) throw tooLarge(maxBytes);
  try {
    const limits = { fileSize: maxBytes + 1, files: 2, fields: 8, parts: 10, fieldSize: 16_384 };
    return busboy({ headers: { 'content-type': contentType }, limits });
  } catch {
    throw invalid('the Content-Type has no boundary');
  }
}

function bodyOf(request: Request): Readable {
  return request.body ? Readable.fromWeb(request.body) : Readable.from([]);
}

/** Ends the form when its sender pauses too long, or takes too long in all. */
function watch(form: busboy.Busboy, { idleMs, totalMs }: UploadLimits) {
  const end = (ms: number) => () =>
    form.destroy(new Problem('request_timeout', `${action}: the body did not arrive within ${ms / 1000} s`, hangUp));
  const total = setTimeout(end(totalMs), totalMs);
  let idle = setTimeout(end(idleMs), idleMs);
  const stream = new Transform({
    transform(chunk, _, pass) {
      clearTimeout(idle);
      idle = setTimeout(end(idleMs), idleMs);
      pass(null, chunk);
    },
  });
  return {
    stream,
    stop() {
      clearTimeout(total);
      clearTimeout(idle);
    },
  };
}

interface Saved {
  readonly sizeBytes: number;
  readonly sha256: string;
}

async function save(stream: Readable, path: string, maxBytes: number): Promise<Saved> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const meter = new Transform({
    transform(chunk, _, pass) {
      sizeBytes += chunk.length;
      hash.update(chunk);
      pass(sizeBytes > maxBytes ? tooLarge(maxBytes) : null, chunk);
    },
  });
  // Opened synchronously: an open under way could create the file after an upload that was given up has removed it.
  const fd = openSync(path, 'wx');
  await pipeline(stream, meter, createWriteStream(path, { fd, flush: true }));
  return { sizeBytes, sha256: hash.digest('hex') };
}

function invalid(what: string): Problem {
  return new Problem('invalid_request', `${action}: ${what}`);
}

function brokenOff(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOSPC' || code === 'EIO' || code === 'EACCES') return error;
  return invalid('the form ends before its last boundary, or is malformed');
}
