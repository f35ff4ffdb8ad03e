/** What names a file of an archive, and its content. */
interface Picture {
  readonly path: string;
  readonly sha256: string;
}

/**
 * Where the small picture of a poster lies: beside it, by the poster's hash, so that it is never one of another poster.
 * A movie that was saved before they were drawn has none.
 */
export function thumbnailPath({ path, sha256 }: Picture): string {
  return `${path.slice(0, path.lastIndexOf('/') + 1)}thumbnail-${sha256.slice(0, 16)}.webp`;
}
