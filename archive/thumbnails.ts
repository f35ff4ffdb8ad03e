import { createHash, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { thumbnailPath } from '../domain/files/thumbnail-path.js';
import type { ArchiveFolder, Content, WorkPlace } from './archive-store.js';
import type { ArchivableAsset } from './download/asset-listing.js';
import type { FetchedFile } from './download/fetch-asset.js';
import { onDisk } from './errors.js';

/** The small picture of a poster, unpublished. */
export interface Thumbnail extends Content {
  readonly name: string;
  readonly localFile: string;
}

/** Twice the width of a gallery card. */
const sidePixels = 480;
/** A page has sixty, and 1.5 MB with everything on it. A poster of no more is shown itself. */
const maxBytes = 20_000;
/** The first that is small enough; the last in any case. */
const qualities = [70, 45, 20, 5];
/** Decoded it takes 300 MB. */
const maxPixels = 100_000_000;

/**
 * Draws small pictures of the posters among the files of a movie, for pages that show many. They are not part of the
 * delivery: they can be drawn again from the posters, so no record, certificate or bundle names them. A poster that is
 * small enough itself has none, nor has one that cannot be decoded.
 *
 * @throws StorageError when the disk does not take one.
 */
export async function drawThumbnails(
  work: WorkPlace,
  files: readonly { readonly asset: ArchivableAsset; readonly fetched: FetchedFile }[],
): Promise<readonly Thumbnail[]> {
  const drawn: Thumbnail[] = [];
  for (const { asset, fetched } of files) {
    if (asset.type !== 'poster' || fetched.sizeBytes <= maxBytes) continue;
    const bytes = await draw(fetched.localFile);
    if (bytes === null) continue;
    const localFile = join(work.path, `${work.prefix}${randomUUID()}.thumbnail`);
    await onDisk('save a thumbnail', () => writeFile(localFile, bytes, { flag: 'wx' }));
    const content = { sha256: createHash('sha256').update(bytes).digest('hex'), sizeBytes: bytes.length };
    drawn.push({ name: thumbnailPath({ path: '', sha256: fetched.sha256 }), localFile, ...content });
  }
  return drawn;
}

/** A taken name holds the picture of this poster, drawn by another release. */
export async function publishThumbnails(opened: ArchiveFolder, thumbnails: readonly Thumbnail[]): Promise<void> {
  for (const { name, localFile, ...content } of thumbnails) await opened.publish(name, localFile, content);
}

/** Null if it is not a picture or too large, and on machines without a decoder. */
async function draw(poster: string): Promise<Buffer | null> {
  try {
    const { default: sharp } = await import('sharp');
    sharp.cache(false); // each poster is read once
    const options = { limitInputPixels: maxPixels, sequentialRead: true } as const;
    // Turning sRGB into sRGB takes three times as long as all the rest.
    const ignoreIcc = isStandard((await sharp(poster, options).metadata()).icc);
    const small = sharp(poster, { ...options, ignoreIcc })
      .autoOrient()
      .resize(sidePixels, sidePixels, { fit: 'inside', withoutEnlargement: true });
    let bytes = Buffer.alloc(0);
    for (const quality of qualities) {
      bytes = await small.clone().webp({ quality, effort: 0 }).toBuffer();
      if (bytes.length <= maxBytes) break;
    }
    return bytes;
  } catch {
    return null;
  }
}

/** Whether an ICC profile says by its name, in whatever encoding, that it is the sRGB that pages are shown in. */
function isStandard(profile: Buffer | undefined): boolean {
  return (profile ?? Buffer.alloc(0)).toString('latin1').replaceAll('\0', '').includes('sRGB');
}
