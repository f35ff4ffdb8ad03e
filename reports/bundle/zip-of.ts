import { once } from 'node:events';
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { BundleEntry } from './bundle-entry.js';

/**
 * The entries as a zip file, streamed: an entry is read as its bytes are wanted. Everything lies in one folder, so that
 * unpacking makes one.
 *
 * @param mtime of every entry
 */
export async function* zipOf(
  entries: AsyncIterable<BundleEntry>,
  { folder, mtime }: { readonly folder: string; readonly mtime: Date },
): AsyncGenerator<Buffer, void, undefined> {
  const zip = new ZipFile();
  zip.on('error', () => undefined); // an entry's own: whoever reads the entry tells it
  const out = zip.outputStream as Readable; // of this very module
  let reading: Readable | null = null;
  const fill = async () => {
    for await (const { path, content, compress } of entries) {
      reading = Readable.from(content, { objectMode: false });
      const read = once(reading, 'end');
      zip.addReadStream(reading, `${folder}/${path}`, { compress, mtime });
      await read;
    }
    zip.end();
  };
  const filling = fill();
  filling.catch((error: Error) => out.destroy(error));
  try {
    yield* out;
  } finally {
    (reading as Readable | null)?.destroy(new Error('Nobody reads the zip file any more'));
    await filling.catch(() => undefined);
  }
  await filling;
}
