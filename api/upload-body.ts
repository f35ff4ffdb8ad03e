import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';

/** A file to upload. `open` is called once, when the first byte is needed, and never without a connection. */
export interface ReferenceFile {
  readonly name: string;
  readonly mimeType: string | null;
  readonly sizeBytes: number;
  open(): Readable;
  readonly role?: string | undefined;
  readonly description?: string | undefined;
}

export interface UploadBody {
  readonly contentType: string;
  readonly contentLength: number;
  readonly stream: Readable;
  /** The error of the file itself, if any: then the connection is not to blame. */
  readonly fileError: () => Error | null;
}

/**
 * Makes a multipart body (RFC 7578) that streams the file, with a length known beforehand. Text fields come before the
 * file, so that a service can decide on them while the file is still on its way.
 */
export function uploadBody(file: ReferenceFile): UploadBody {
  const boundary = `greenlight-${randomBytes(18).toString('hex')}`;
  const head = Buffer.from(
    `${textPart(boundary, 'role', file.role)}${textPart(boundary, 'description', file.description)}--${boundary}\r\n` +
      `Content-Disposition: form-data; name="file"; filename="${quoted(file.name)}"\r\n` +
      `Content-Type: ${mediaType(file.mimeType)}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  let fileError: Error | null = null;

  async function* bytes(): AsyncGenerator<Buffer> {
    yield head;
    try {
      yield* exactly(file);
    } catch (error) {
      fileError = error instanceof Error ? error : new Error(String(error));
      throw fileError;
    }
    yield tail;
  }

  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    contentLength: head.length + file.sizeBytes + tail.length,
    stream: Readable.from(bytes(), { objectMode: false }),
    fileError: () => fileError,
  };
}

async function* exactly(file: ReferenceFile): AsyncGenerator<Buffer> {
  let left = file.sizeBytes;
  for await (const chunk of file.open()) {
    left -= chunk.length;
    if (left < 0) break;
    yield chunk;
  }
  if (left !== 0) {
    const found = left < 0 ? 'it has more' : `it has ${file.sizeBytes - left}`;
    throw new Error(`Cannot upload "${file.name}": ${found} bytes, expected ${file.sizeBytes}; it changed while read`);
  }
}

function textPart(boundary: string, name: string, value: string | undefined): string {
  if (value === undefined) return '';
  return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
}

/** As browsers write a file name (WHATWG HTML, multipart form data): only these three are escaped. */
function quoted(name: string): string {
  return name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
}

/** A media type with anything else in it would let a file inject headers. */
function mediaType(mimeType: string | null): string {
  return mimeType && /^[\w.+-]+\/[\w.+-]+(; ?[\w.+-]+=[\w.+-]+)*$/.test(mimeType)
    ? mimeType
    : 'application/octet-stream';
}
