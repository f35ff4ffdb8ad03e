import { createHash, type Hash } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { z } from 'zod';
import type { Content } from '../archive-store.js';
import { errnoOf } from '../errors.js';
import { syncFile } from '../folder/sync-file.js';

/**
 * Bytes count as safe only once the disk has confirmed them. Each confirmation costs a wait, each missing one the bytes
 * since the last: 8 MiB is a second of a slow line and about the size of a short movie.
 */
const confirmEveryBytes = 8 * 1024 * 1024;

/** Kept next to the part. After a crash a file may be longer than `safeBytes`; the rest cannot be trusted. */
const PartState = z.object({
  etag: z.string(),
  totalBytes: z.int().positive().nullable(),
  safeBytes: z.int().nonnegative(),
});
export type PartState = z.infer<typeof PartState>;

/** Which representation of a file is being received. */
export interface Representation {
  /** A strong entity tag; null when the server sends none: then the file cannot be resumed. */
  readonly etag: string | null;
  /** Null when the server does not say how long the file is. */
  readonly totalBytes: number | null;
}

export interface PartFile {
  readonly representation: Representation;
  /** Received so far; the next byte belongs at this position. */
  readonly sizeBytes: number;
  append(chunk: Buffer): Promise<void>;
  /** Discards what was received and begins with another representation. */
  restart(representation: Representation): Promise<void>;
  /** Confirms what was received, so that another process can resume from here; closes. */
  keep(): Promise<void>;
  /** Closes; the part then is the finished file, which a power cut may still take. */
  finish(): Content;
}

const unknownRepresentation: Representation = { etag: null, totalBytes: null };

/** Where the state of a part is kept. */
export function partStateFile(path: string): string {
  return `${path}.state`;
}

/** How far a part can be trusted; null when it cannot be resumed at all. */
export function readPartState(path: string): PartState | null {
  try {
    return PartState.parse(JSON.parse(readFileSync(partStateFile(path), 'utf8')));
  } catch (error) {
    // Missing, or torn by a crash: the same.
    if (errnoOf(error) === null || errnoOf(error) === 'ENOENT') return null;
    throw error;
  }
}

export function writePartState(path: string, state: PartState): void {
  const fresh = `${partStateFile(path)}.new`;
  writeFileSync(fresh, JSON.stringify(state));
  renameSync(fresh, partStateFile(path));
}

/** Opens a part to resume, or a new one. One writer at a time: see `claimPart`. */
export async function openPartFile(path: string): Promise<PartFile> {
  return newPart(path) ?? earlierPart(path);
}

/** Null when the file already exists. */
function newPart(path: string): PartFile | null {
  try {
    const file = openSync(path, 'wx');
    return new Part({ path, file, hash: createHash('sha256'), state: null });
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return null;
    throw error;
  }
}

async function earlierPart(path: string): Promise<PartFile> {
  const state = readPartState(path);
  const file = openSync(path, 'r+');
  const hash = createHash('sha256');
  try {
    const safeBytes = state ? await readBack(file, path, { hash, safeBytes: state.safeBytes }) : 0;
    if (safeBytes === state?.safeBytes) return new Part({ path, file, hash, state });
    rmSync(partStateFile(path), { force: true });
    ftruncateSync(file, 0);
    return new Part({ path, file, hash: createHash('sha256'), state: null });
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** Cuts the part to what is safe and hashes it; returns less than `safeBytes` if the file is shorter than noted. */
async function readBack(
  file: number,
  path: string,
  { hash, safeBytes }: { readonly hash: Hash; readonly safeBytes: number },
): Promise<number> {
  const { size } = fstatSync(file);
  if (size < safeBytes) return size;
  ftruncateSync(file, safeBytes);
  if (safeBytes > 0) for await (const chunk of createReadStream(path, { end: safeBytes - 1 })) hash.update(chunk);
  return safeBytes;
}

interface PartInit {
  readonly path: string;
  /** Its descriptor. */
  readonly file: number;
  readonly hash: Hash;
  /** What is stored next to the part; null when it begins with nothing. */
  readonly state: PartState | null;
}

class Part implements PartFile {
  readonly #path: string;
  readonly #file: number;
  #hash: Hash;
  #representation: Representation;
  #sizeBytes: number;
  #safeBytes: number;

  constructor({ path, file, hash, state }: PartInit) {
    this.#path = path;
    this.#file = file;
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
    for (let done = 0; done < chunk.length;) {
      done += writeSync(this.#file, chunk, done, chunk.length - done, this.#sizeBytes + done);
    }
    this.#hash.update(chunk);
    this.#sizeBytes += chunk.length;
    if (this.#sizeBytes - this.#safeBytes >= confirmEveryBytes) await this.#confirm();
  }

  async restart(representation: Representation): Promise<void> {
    this.#dropState();
    if (this.#sizeBytes > 0) ftruncateSync(this.#file, 0);
    this.#hash = createHash('sha256');
    this.#representation = representation;
    this.#sizeBytes = 0;
    this.#safeBytes = 0;
  }

  async keep(): Promise<void> {
    try {
      await this.#confirm();
    } finally {
      closeSync(this.#file);
    }
  }

  finish(): Content {
    closeSync(this.#file);
    this.#dropState();
    return { sha256: this.#hash.digest('hex'), sizeBytes: this.#sizeBytes };
  }

  /** A state is written with the first confirmed byte, and there is none before. */
  #dropState(): void {
    if (this.#safeBytes > 0) rmSync(partStateFile(this.#path), { force: true });
  }

  async #confirm(): Promise<void> {
    const { etag, totalBytes } = this.#representation;
    if (etag === null || this.#sizeBytes === this.#safeBytes) return;
    await syncFile(this.#file);
    writePartState(this.#path, { etag, totalBytes, safeBytes: this.#sizeBytes });
    this.#safeBytes = this.#sizeBytes;
  }
}
