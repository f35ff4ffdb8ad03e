import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type ArchiveNotes, segmentsOf } from '../archive-store.js';
import { listKeys } from './list-keys.js';
import { onceNamed } from './put-once.js';
import type { S3Connection } from './s3-connection.js';
import { isMissing, storageError } from './s3-errors.js';

/** Notes as small objects, behind a dot. */
export function createS3Notes(connection: S3Connection): ArchiveNotes {
  const { bucket, ask, call, keyOf } = connection;
  const key = (path: string) => keyOf(`.${segmentsOf(path).join('/')}`);
  const note = (path: string, body: string) => ({
    ...{ Bucket: bucket, Key: key(path), Body: body, ContentType: 'application/json' },
  });

  return {
    async list(folder) {
      const prefix = `${key(folder)}/`;
      const keys = await listKeys(connection, prefix);
      return keys.map((found) => `${folder}/${found.slice(prefix.length)}`);
    },
    read: (path) =>
      call(`read the note "${path}"`, async (s3) => {
        try {
          const { Body } = await s3.getObject({ Bucket: bucket, Key: key(path) });
          return await text(Body as Readable);
        } catch (error) {
          if (isMissing(error)) return null;
          throw error;
        }
      }),
    async create(path, body) {
      const give = () => ask((s3) => s3.putObject({ ...note(path, body), IfNoneMatch: '*' }));
      try {
        return (await onceNamed(give, async () => 'taken')) === 'published' ? 'created' : 'taken';
      } catch (error) {
        throw storageError(`write the note "${path}"`, error);
      }
    },
    write: async (path, body) => {
      await call(`write the note "${path}"`, (s3) => s3.putObject(note(path, body)));
    },
    remove: async (path) => {
      await call(`remove the note "${path}"`, (s3) => s3.deleteObject({ Bucket: bucket, Key: key(path) }));
    },
  };
}
