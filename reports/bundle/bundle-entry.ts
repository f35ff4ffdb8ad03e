import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';

/** One file of a bundle; entries are read one after the other, each to its end. */
export interface BundleEntry {
  /** From the folder of the bundle, with `/`. */
  readonly path: string;
  readonly content: AsyncIterable<Uint8Array>;
  /** Films and pictures are small already. */
  readonly compress: boolean;
}

/** Where the delivered files are. */
export interface DeliveredFiles {
  /** Null when nothing is there. */
  stat(path: string): Promise<{ readonly sizeBytes: number } | null>;
  open(path: string): Promise<Readable>;
}

/** A bundle cannot be made; the message names every cause. */
export class BundleError extends Error {
  override readonly name = 'BundleError';
}

/** The checksums of a bundle, gathered as its files pass by. */
export class Checksums {
  readonly #lines: string[] = [];

  /** An entry with bytes that are at hand. */
  text(path: string, content: string | Uint8Array): BundleEntry {
    const entry = textEntry(path, content);
    return { ...entry, content: this.#summed(path, entry.content) };
  }

  /** A file of the archive. @throws BundleError, as it is read, when it is not what was delivered. */
  file(path: string, source: () => Promise<Readable>, sha256: string): BundleEntry {
    return { path, compress: false, content: this.#summed(path, opened(source), sha256) };
  }

  /** Lines as `sha256sum -c` reads them. */
  toString(): string {
    return this.#lines.join('');
  }

  async *#summed(
    path: string,
    content: AsyncIterable<Uint8Array>,
    expected?: string,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const hash = createHash('sha256');
    for await (const chunk of content) {
      hash.update(chunk);
      yield chunk;
    }
    const sum = hash.digest('hex');
    if (expected !== undefined && sum !== expected) {
      throw new BundleError(
        `Cannot bundle ${path}: the archive has other bytes than were delivered (SHA-256 ${sum.slice(0, 12)}, delivered ${expected.slice(0, 12)}); greenlight verify says which files`,
      );
    }
    this.#lines.push(`${sum}  ${path}\n`);
  }
}

export function textEntry(path: string, content: string | Uint8Array): BundleEntry {
  return { path, compress: true, content: once(content) };
}

async function* once(content: string | Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield typeof content === 'string' ? Buffer.from(content) : content;
}

async function* opened(source: () => Promise<Readable>): AsyncGenerator<Uint8Array, void, undefined> {
  yield* await source();
}
