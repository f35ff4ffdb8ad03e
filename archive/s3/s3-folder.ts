import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { LimitFunction } from 'p-limit';
import { type ArchiveFolder, type Content, checkedName, type Published } from '../archive-store.js';
import { putOnce } from './put-once.js';
import type { S3Connection } from './s3-connection.js';
import { storageError } from './s3-errors.js';
import type { Staging } from './staging.js';
import { type UploadSizes, uploadInParts } from './upload-in-parts.js';

export interface S3FolderOptions {
  readonly folder: string;
  readonly connection: S3Connection;
  readonly staging: Staging;
  readonly sizes: UploadSizes;
  /** The store's limit. */
  readonly limit: LimitFunction;
}

/** One folder of a bucket; its unfinished files are in the staging folder of this machine. */
export async function openS3Folder(options: S3FolderOptions): Promise<ArchiveFolder> {
  const { folder, connection, staging, sizes, limit } = options;
  const work = await staging.open(folder);

  async function save(name: string, doing: (key: string) => Promise<Published>): Promise<Published> {
    const key = connection.keyOf(`${folder}/${checkedName(name)}`);
    try {
      return await doing(key);
    } catch (error) {
      throw storageError(`save "${folder}/${name}"`, error);
    }
  }

  function give(key: string, localFile: string, content: Content): Promise<Published> {
    if (content.sizeBytes <= sizes.onePutBytes) {
      return putOnce(connection, key, { content, body: () => createReadStream(localFile) });
    }
    const stateFile = join(work.path, `${createHash('sha256').update(key).digest('hex').slice(0, 24)}.upload`);
    return uploadInParts(connection, { key, localFile, content, stateFile, partBytes: sizes.partBytes, limit });
  }

  return {
    work,
    // An unfinished file is worth the bytes of its download and no more: what proves the movie is in the bucket.
    confirm: async () => undefined,
    publish: (name, localFile, content) => save(name, (key) => give(key, localFile, content)),
    writeText: (name, text) =>
      save(name, (key) => {
        const bytes = Buffer.from(text);
        const content = { sha256: createHash('sha256').update(bytes).digest('hex'), sizeBytes: bytes.length };
        return putOnce(connection, key, { content, body: () => bytes });
      }),
    // What the store has confirmed survives anything.
    sync: async () => undefined,
    dropWork: () => staging.drop(folder),
  };
}
