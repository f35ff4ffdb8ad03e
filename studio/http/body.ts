import { Problem } from '../problem.js';

export interface BodyLimits {
  readonly maxBytes: number;
  /** Time for the whole body to arrive. */
  readonly timeoutMs: number;
}

/** Ends the connection, which is of no use while the sender is still sending. */
export const hangUp = { Connection: 'close' } as const;

/**
 * Reads a small body whole, whatever its sender does: one that is too large is refused when announced or while it
 * arrives, one that is too slow when time is up.
 */
export async function readBody(request: Request, { maxBytes, timeoutMs }: BodyLimits): Promise<Uint8Array> {
  const announced = request.headers.get('content-length');
  if (announced !== null && Number(announced) > maxBytes) throw tooLarge(maxBytes);
  const reading = announced === null ? readStream(request.body, maxBytes) : request.arrayBuffer().then(bytesOf);
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooSlow(timeoutMs)), timeoutMs);
  });
  try {
    return await Promise.race([reading, timeUp]);
  } finally {
    clearTimeout(timer);
  }
}

async function readStream(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of body ?? []) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function bytesOf(buffer: ArrayBuffer): Uint8Array {
  return new Uint8Array(buffer);
}

export function tooLarge(maxBytes: number): Problem {
  return new Problem('payload_too_large', `Cannot read request: its body has more than ${maxBytes} bytes`, hangUp);
}

function tooSlow(timeoutMs: number): Problem {
  const message = `Cannot read request: its body did not arrive within ${timeoutMs / 1000} s`;
  return new Problem('request_timeout', message, hangUp);
}
