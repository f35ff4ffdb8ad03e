import { createReadStream } from 'node:fs';
import { type ArchiveStore, segmentsOf } from '../archive-store.js';
import { hashFile } from '../folder/hash-file.js';
import { mediaTypeOf } from './media-type.js';
import { base64 } from './put-once.js';
import { readFrom } from './read-from.js';
import { s3Url } from './s3-address.js';
import { connectS3 } from './s3-connection.js';
import { openS3Folder } from './s3-folder.js';
import { createS3Notes } from './s3-notes.js';
import { createStaging } from './staging.js';
import { defaultSizes, partLimit, type UploadSizes } from './upload-in-parts.js';

export interface S3StoreOptions {
  /** `s3://bucket/prefix` */
  readonly url: string;
  /** On this machine; created with the first movie. */
  readonly stagingFolder: string;
  /** Default: up to 64 MiB in one request, above that in parts of 16 MiB. */
  readonly sizes?: UploadSizes;
  /** How long a connection may be silent before it is given up; a minute by default. */
  readonly silenceMs?: number;
}

export interface S3Store extends ArchiveStore {
  /** Replaces whatever has the name with a local file: for reports, which are written again. */
  replace(path: string, localFile: string): Promise<void>;
  close(): void;
}

/** Written and removed at a start, to find out whether that is allowed. */
const probeKey = '.greenlight-probe';

/**
 * A bucket of S3, or of a server with the same interface, as an archive. Nothing is sent before the first call.
 *
 * @throws RangeError for a url that is not `s3://bucket/prefix`.
 */
export function createS3Store({ url, stagingFolder, sizes = defaultSizes, silenceMs }: S3StoreOptions): S3Store {
  const connection = connectS3(url, silenceMs);
  const { bucket, call } = connection;
  const staging = createStaging(stagingFolder);
  const limit = partLimit();
  const key = (path: string) => connection.keyOf(segmentsOf(path).join('/'));

  return {
    url: s3Url(connection),
    notes: createS3Notes(connection),
    openFolder: async (folder) => {
      segmentsOf(folder);
      return openS3Folder({ folder, connection, staging, sizes, limit });
    },
    ...readFrom(connection),
    check: () =>
      call('write', async (s3) => {
        await s3.headBucket({ Bucket: bucket });
        const probe = { Bucket: bucket, Key: connection.keyOf(probeKey) };
        await s3.putObject({ ...probe, Body: '' });
        // Credentials that may only add objects leave it there.
        await s3.deleteObject(probe).catch(() => undefined);
      }),
    replace: async (path, localFile) => {
      const named = { Bucket: bucket, Key: key(path), ContentType: mediaTypeOf(path) };
      const { sha256, sizeBytes } = await hashFile(localFile);
      const content = { ContentLength: sizeBytes, ChecksumSHA256: base64(sha256) };
      await call(`write "${path}"`, (s3) => s3.putObject({ ...named, ...content, Body: createReadStream(localFile) }));
    },
    close: () => connection.close(),
  };
}
