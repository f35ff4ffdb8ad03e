import { Readable } from 'node:stream';
import { type ArchiveStore, isSegment, segmentsOf } from '../archive-store.js';
import { listKeys } from './list-keys.js';
import { s3Url } from './s3-address.js';
import type { S3Connection } from './s3-connection.js';
import { isMissing, storageError } from './s3-errors.js';

/** The reading part of a store. */
export function readFrom(
  connection: S3Connection,
): Pick<ArchiveStore, 'stat' | 'open' | 'list' | 'folders' | 'presign'> {
  const { bucket, call } = connection;
  const root = connection.keyOf('');
  const key = (path: string) => connection.keyOf(segmentsOf(path).join('/'));

  return {
    stat: async (path) => {
      const Key = key(path);
      return call(`read "${path}"`, async (s3) => {
        try {
          return { sizeBytes: (await s3.headObject({ Bucket: bucket, Key })).ContentLength ?? 0 };
        } catch (error) {
          if (isMissing(error)) return null;
          throw error;
        }
      });
    },
    open: async (path, range) => {
      const Key = key(path);
      const Range = range && { Range: `bytes=${range.start}-${range.end}` };
      const action = `read "${path}"`;
      const { Body } = await call(action, (s3) => s3.getObject({ Bucket: bucket, Key, ...Range }));
      const body = Body as Readable;
      const pieces = translated(body, `${action} in ${s3Url(connection)}`);
      const read = Readable.from(pieces, { objectMode: false, highWaterMark: 1024 * 1024 });
      return read.once('close', () => body.destroy()); // even if nobody began to read
    },
    list: async (folder) => {
      const prefix = `${key(folder)}/`;
      const paths = (await listKeys(connection, prefix)).map((found) => found.slice(root.length));
      return named(paths);
    },
    presign: async (path, seconds) => {
      const Key = key(path);
      const { GetObjectCommand } = await import('@aws-sdk/client-s3');
      const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner');
      return call(`sign a link to "${path}"`, (s3) =>
        getSignedUrl(s3, new GetObjectCommand({ Bucket: bucket, Key }), { expiresIn: seconds }),
      );
    },
    folders: async (below) => {
      const prefix = below === undefined ? root : `${key(below)}/`;
      const names = await listKeys(connection, prefix, '/');
      const paths = names.map((found) => found.slice(root.length, -1));
      return named(paths);
    },
  };
}

/** Reports an error in the middle of a file with its name and place, too. */
async function* translated(body: Readable, action: string): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (error) {
    throw storageError(action, error);
  }
}

/** Leaves out files that a person has added. */
function named(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => path.split('/').every(isSegment)).sort();
}
