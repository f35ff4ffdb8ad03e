import type { Published } from '../../../archive/archive-store.js';
import { hashFile } from '../../../archive/folder/hash-file.js';
import { createS3Store } from '../../../archive/s3/s3-store.js';

/** As small as S3 lets parts be. */
const sizes = { onePutBytes: 6 * 1024 * 1024, partBytes: 5 * 1024 * 1024 };

export interface ChildUpload {
  readonly url: string;
  readonly stagingFolder: string;
  readonly localFile: string;
}

/** Publishes the file as `b-1/r-1/final.mp4`, and has its unfinished files dropped. */
export async function publishOnce({ url, stagingFolder, localFile }: ChildUpload): Promise<Published> {
  const store = createS3Store({ url, stagingFolder, sizes });
  try {
    const folder = await store.openFolder('b-1/r-1');
    const published = await folder.publish('final.mp4', localFile, await hashFile(localFile));
    await folder.dropWork();
    return published;
  } finally {
    store.close();
  }
}
