import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import { ApiProblem } from './problem.js';

export interface ReceivedUpload {
  readonly path: string;
  /** As its sender calls it. */
  readonly name: string;
  /** Whether files came beside it, that its rows may name. */
  readonly hasReferences: boolean;
  /** Removes what was kept. */
  discard(): Promise<void>;
}

export interface UploadLimits {
  readonly folder: string;
  readonly maxBytes: number;
  /** Of a body that is the manifest itself. */
  readonly name: string | undefined;
  /** Takes a field of the form; without it a form has none. */
  readonly onField?: (field: string, value: string) => void;
  /** Why no file is taken, as far as the fields before it say; null where it is. */
  readonly refusal?: () => ApiProblem | null;
}

/** Types of a body that is a manifest itself; what it is, is read off its content and name. */
export const manifestTypes = [
  'text/csv',
  'text/plain',
  'text/tab-separated-values',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/yaml',
  'application/json',
  'application/x-ndjson',
  'application/octet-stream',
] as const;

const mostFiles = 500;
const mostFields = 10;

/**
 * Puts a submission into a folder of its own: the manifest, and beside it the reference files that were sent with it.
 *
 * @throws ApiProblem for a body of another type, one that is too large, or one without a manifest; nothing is left then.
 */
export async function receiveUpload(request: Request, limits: UploadLimits): Promise<ReceivedUpload> {
  const type = (request.headers.get('content-type') ?? '').toLowerCase();
  if (Number(request.headers.get('content-length') ?? 0) > limits.maxBytes) throw tooLarge(limits);
  const own = { ...limits, folder: join(limits.folder, randomUUID()) };
  const discard = () => rm(own.folder, { recursive: true, force: true });
  await mkdir(own.folder, { recursive: true, mode: 0o700 });
  try {
    if (type.startsWith('multipart/form-data')) return { ...(await receiveForm(request, own)), discard };
    if (!manifestTypes.some((known) => type.split(';')[0]?.trim() === known)) {
      throw new ApiProblem(
        'unsupported-media-type',
        `Cannot take the manifest: send it as ${manifestTypes.join(', ')}, or as multipart/form-data with its files`,
      );
    }
    return { ...(await receiveBody(request, own)), discard };
  } catch (error) {
    await discard();
    throw error;
  }
}

async function receiveBody(
  request: Request,
  { folder, name, ...limits }: UploadLimits,
): Promise<Omit<ReceivedUpload, 'discard'>> {
  if (name === undefined) {
    throw new ApiProblem('invalid-request', 'Cannot take the manifest: say its name in the query, ?name=spring.csv');
  }
  const path = join(folder, fileName(name));
  if (!request.body) throw noManifest();
  const body = Readable.fromWeb(request.body as never); // the two declarations of one class do not know each other
  await pipeline(body, atMost(limits.maxBytes), createWriteStream(path, { mode: 0o600, flags: 'wx' }));
  return { path, name, hasReferences: false };
}

async function receiveForm(request: Request, limits: UploadLimits): Promise<Omit<ReceivedUpload, 'discard'>> {
  const form = formOf(request);
  const writes: Promise<void>[] = [];
  const names = new Set<string>();
  let manifest: string | null = null;
  let refused: ApiProblem | null = null;
  let left = limits.maxBytes;
  form.on('file', (field, stream, { filename = '' }) => {
    if (filename === '' && field === 'reference') return void stream.resume(); // a browser's field without a file
    const problem = limits.refusal?.() ?? problemOfPart(field, filename, { names, hasManifest: manifest !== null });
    if (problem) {
      refused ??= problem;
      stream.resume();
      return;
    }
    names.add(filename.toLowerCase());
    if (field === 'manifest') manifest = filename;
    stream.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) stream.destroy(tooLarge(limits));
    });
    const path = join(limits.folder, fileName(filename));
    writes.push(pipeline(stream, createWriteStream(path, { mode: 0o600, flags: 'wx' })));
  });
  form.on('field', (field, value) => {
    if (limits.onField) return limits.onField(field, value);
    refused ??= new ApiProblem(
      'invalid-request',
      `Cannot take the form: ${field} belongs into the query, or is a file`,
    );
  });
  form.on('filesLimit', () => {
    refused ??= new ApiProblem('payload-too-large', `Cannot take the form: it has more than ${mostFiles} files`);
  });
  await readForm(request, form);
  await Promise.all(writes);
  if (refused) throw refused;
  if (manifest === null) throw noManifest();
  return { path: join(limits.folder, fileName(manifest)), name: manifest, hasReferences: names.size > 1 };
}

function formOf(request: Request): busboy.Busboy {
  try {
    return busboy({
      headers: Object.fromEntries(request.headers),
      limits: { files: mostFiles, fields: mostFields, parts: mostFiles + mostFields, fieldSize: 4_096 },
      defParamCharset: 'utf8',
    });
  } catch {
    throw new ApiProblem('invalid-request', 'Cannot take the form: its Content-Type names no boundary');
  }
}

async function readForm(request: Request, form: busboy.Busboy): Promise<void> {
  if (!request.body) throw noManifest();
  try {
    await pipeline(Readable.fromWeb(request.body as never), form);
  } catch (error) {
    if (error instanceof ApiProblem) throw error;
    throw new ApiProblem(
      'invalid-request',
      'Cannot take the form: it ends too early, or its parts cannot be told apart',
    );
  }
}

function problemOfPart(
  field: string,
  filename: string,
  { names, hasManifest }: { readonly names: ReadonlySet<string>; readonly hasManifest: boolean },
): ApiProblem | null {
  const cannot = (why: string) => new ApiProblem('invalid-request', `Cannot take the form: ${why}`);
  if (field !== 'manifest' && field !== 'reference') return cannot(`${field} is neither manifest nor reference`);
  if (field === 'manifest' && hasManifest) return cannot('it has two manifests');
  if (!isFileName(filename)) return cannot(`"${filename}" is not the name of a file`);
  return names.has(filename.toLowerCase()) ? cannot(`it has two files called ${filename}`) : null;
}

/** @throws ApiProblem for what would lie in another folder. */
function fileName(name: string): string {
  if (isFileName(name)) return name;
  throw new ApiProblem('invalid-request', `Cannot take the manifest: "${name}" is not the name of a file`);
}

function isFileName(name: string): boolean {
  // oxlint-disable-next-line no-control-regex -- these are what no name may have
  return /^[^/\\\u0000-\u001f\u007f]{1,200}$/.test(name) && !/^\.+$/.test(name) && Buffer.byteLength(name) <= 240;
}

function atMost(maxBytes: number) {
  return async function* (pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    for await (const piece of pieces) {
      bytes += piece.length;
      if (bytes > maxBytes) throw tooLarge({ maxBytes });
      yield piece;
    }
    if (bytes === 0) throw noManifest();
  };
}

function noManifest(): ApiProblem {
  return new ApiProblem('invalid-request', 'Cannot take the manifest: there is none in the request');
}

function tooLarge({ maxBytes }: Pick<UploadLimits, 'maxBytes'>): ApiProblem {
  return new ApiProblem(
    'payload-too-large',
    `Cannot take the manifest: with its files it has more than ${maxBytes / 2 ** 20} MB`,
  );
}
