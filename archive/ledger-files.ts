import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { ArchiveStore } from './archive-store.js';
import { onDisk, StorageError } from './errors.js';
import { contentOf } from './folder/hash-file.js';

/** Rows moved out of the ledger for closed batches: a folder for each, apart from those of movies. */
const folderOf = (batchId: string) => `ledger/${batchId}`;

/** Stores lines of text as gzip files in an archive. A file is there whole or not at all, and never changes. */
export function createLedgerFiles(store: ArchiveStore) {
  return {
    /**
     * Writes lines to a file named after the batch and their hash: writing the same lines again finds it there.
     *
     * @throws StorageError
     */
    async write(batchId: string, lines: AsyncIterable<string>) {
      const folder = await store.openFolder(folderOf(batchId));
      const local = join(folder.work.path, `${folder.work.prefix}${randomUUID()}`);
      try {
        await onDisk(`write "${local}"`, () =>
          pipeline(Readable.from(ended(lines)), createGzip(), createWriteStream(local)),
        );
        const content = await contentOf(createReadStream(local));
        await folder.confirm([local]);
        const name = `${content.sha256.slice(0, 16)}.jsonl.gz`;
        const published = await folder.publish(name, local, content);
        const path = `${folderOf(batchId)}/${name}`;
        if (published === 'taken')
          throw new StorageError(`Cannot write "${path}": another file has this name`, 'EEXIST');
        await folder.sync();
        return { path, ...content };
      } finally {
        await rm(local, { force: true });
      }
    },
    /** The lines of a file; null if missing. Reading them throws if it is damaged. */
    async read(path: string) {
      if (!(await store.stat(path))) return null;
      const hash = createHash('sha256');
      const bytes = await store.open(path);
      return { lines: linesOf(bytes, (chunk) => hash.update(chunk)), sha256: () => hash.copy().digest('hex') };
    },
    /** SHA-256 of a file's bytes; null if missing. */
    async hash(path: string) {
      return (await store.stat(path)) ? (await contentOf(await store.open(path))).sha256 : null;
    },
  };
}

async function* ended(lines: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  for await (const line of lines) yield `${line}\n`;
}

async function* linesOf(
  bytes: AsyncIterable<Buffer>,
  see: (chunk: Buffer) => void,
): AsyncGenerator<string, void, undefined> {
  async function* seen(): AsyncGenerator<Buffer, void, undefined> {
    for await (const chunk of bytes) {
      see(chunk);
      yield chunk;
    }
  }
  const unpacked = createGunzip().setEncoding('utf8');
  const reading = pipeline(Readable.from(seen()), unpacked);
  reading.catch(() => undefined); // the reader of the other end gets the error
  let rest = '';
  for await (const text of unpacked as AsyncIterable<string>) {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  await reading;
  if (rest !== '') throw new Error('the last line is cut off');
}
