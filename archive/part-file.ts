import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Content } from './archive-store.js';
import { errnoOf } from './errors.js';

/**
 * Bytes are taken for safe only once the disk has confirmed them. Each confirmation costs a wait, each missing one the
 * bytes since the last: 8 MiB is a second of a slow line and about the size of a short movie.
 */
const confirmEveryBytes = 8 * 1024 * 1024;

/** Kept beside the part. A file may be longer than `safeBytes` after a crash; what is beyond cannot be trusted. */
const PartState = z.object({
  etag: z.string(),
  totalBytes: z.int().positive().nullable(),
  safeBytes: z.int().nonnegative(),
});
export type PartState = z.infer<typeof PartState>;

/** Which representation of a file is being received. */
export interface Representation {
  /** A strong entity tag; null when the server gives none: then nothing can be resumed. */
  readonly etag: string | null;
  /** Null when the server does not say how long the file is. */
  readonly totalBytes: number | null;
}

export interface PartFile {
  readonly representation: Representation;
  /** Received so far; the next byte belongs at this position. */
  readonly sizeBytes: number;
  append(chunk: Buffer): Promise<void>;
  /** Forgets what was received and begins with another representation. */
  restart(representation: Representation): Promise<void>;
  /** Confirms what was received, so that another process can go on from here; closes. */
  keep(): Promise<void>;
  /** Confirms the whole and closes; the part then is the finished file. */
  finish(): Promise<Content>;
}

const unknownRepresentation: Representation = { etag: null, totalBytes: null };

/** Where the state of a part is kept. */
export function partStateFile(path: string): string {
  return `${path}.state`;
}

/** How far a part can be trusted; null when it cannot be resumed at all. */
export async function readPartState(path: string): Promise<PartState | null> {
  try {
    return PartState.parse(JSON.parse(await readFile(partStateFile(path), 'utf8')));
  } catch (error) {
    // Missing, or torn by a crash: the same.
    if (errnoOf(error) === null || errnoOf(error) === 'ENOENT') return null;
    throw error;
  }
}

export async function writePartState(path: string, state: PartState): Promise<void> {
  const fresh = `${partStateFile(path)}.new`;
  await writeFile(fresh, JSON.stringify(state));
  await rename(fresh, partStateFile(path));
}

/** Opens a part to go on with, or a new one. One writer at a time: see `claimPart`. */
export async function openPartFile(path: string): Promise<PartFile> {
  return (await newPart(path)) ?? earlierPart(path);
}

/** Null when the file is there already. */
async function newPart(path: string): Promise<PartFile | null> {
  try {
    const handle = await open(path, 'wx');
    return new Part({ path, handle, hash: createHash('sha256'), state: null });
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return null;
    throw error;
  }
}

async function earlierPart(path: string): Promise<PartFile> {
  const state = await readPartState(path);
  const handle = await open(path, 'r+');
  const hash = createHash('sha256');
  try {
    const safeBytes = state ? await readBack(handle, path, { hash, safeBytes: state.safeBytes }) : 0;
    if (state && safeBytes === state.safeBytes) return new Part({ path, handle, hash, state });
    await rm(partStateFile(path), { force: true });
    await handle.truncate(0);
    return new Part({ path, handle, hash: createHash('sha256'), state: null });
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Cuts the part to what is safe and hashes it; answers less than `safeBytes` if the file is shorter than was noted. */
async function readBack(
  handle: FileHandle,
  path: string,
  { hash, safeBytes }: { readonly hash: Hash; readonly safeBytes: number },
): Promise<number> {
  const { size } = await handle.stat();
  if (size < safeBytes) return size;
  await handle.truncate(safeBytes);
  if (safeBytes > 0) for await (const chunk of createReadStream(path, { end: safeBytes - 1 })) hash.update(chunk);
  return safeBytes;
}

interface PartInit {
  readonly path: string;
  readonly handle: FileHandle;
  readonly hash: Hash;
  /** What lies beside the part; null when it begins with nothing. */
  readonly state: PartState | null;
}

class Part implements PartFile {
  readonly #path: string;
  readonly #handle: FileHandle;
  #hash: Hash;
  #representation: Representation;
  #sizeBytes: number;
  #safeBytes: number;

  constructor({ path, handle, hash, state }: PartInit) {
    this.#path = path;
    this.#handle = handle;
    this.#hash = hash;
    this.#representation = state ?? unknownRepresentation;
    this.#sizeBytes = state?.safeBytes ?? 0;
    this.#safeBytes = this.#sizeBytes;
  }

  get representation(): Representation {
    return this.#representation;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  async append(chunk: Buffer): Promise<void> {
    for (let done = 0; done < chunk.length; ) {
      const { bytesWritten } = await this.#handle.write(chunk, done, chunk.length - done, this.#sizeBytes + done);
      done += bytesWritten;
    }
    this.#hash.update(chunk);
    this.#sizeBytes += chunk.length;
    if (this.#sizeBytes - this.#safeBytes >= confirmEveryBytes) await this.#confirm();
  }

  async restart(representation: Representation): Promise<void> {
    await this.#dropState();
    if (this.#sizeBytes > 0) await this.#handle.truncate(0);
    this.#hash = createHash('sha256');
    this.#representation = representation;
    this.#sizeBytes = 0;
    this.#safeBytes = 0;
  }

  async keep(): Promise<void> {
    try {
      await this.#confirm();
    } finally {
      await this.#handle.close();
    }
  }

  async finish(): Promise<Content> {
    try {
      await this.#handle.sync();
    } finally {
      await this.#handle.close();
    }
    await this.#dropState();
    return { sha256: this.#hash.digest('hex'), sizeBytes: this.#sizeBytes };
  }

  /** A state is written with the first confirmed byte, and there is none before. */
  async #dropState(): Promise<void> {
    if (this.#safeBytes > 0) await rm(partStateFile(this.#path), { force: true });
  }

  async #confirm(): Promise<void> {
    const { etag, totalBytes } = this.#representation;
    if (etag === null || this.#sizeBytes === this.#safeBytes) return;
    await this.#handle.datasync();
    await writePartState(this.#path, { etag, totalBytes, safeBytes: this.#sizeBytes });
    this.#safeBytes = this.#sizeBytes;
  }
}
