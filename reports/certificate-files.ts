import { z } from 'zod';

/** Where a batch's certificate lies, beside its movies. */
export const certificateName = 'certificate.json';

/** A file that a batch delivered; its path is from the batch's own folder. */
export interface ListedFile {
  readonly path: string;
  /** Null where only its presence is known. */
  readonly sha256: string | null;
}

/** The parts of a certificate that are read again. */
const Certificate = z.object({
  batch: z.string(),
  movies: z.array(z.object({ files: z.array(z.object({ path: z.string(), sha256: z.string() })) })).default([]),
});

/**
 * The files that a certificate lists as delivered by its batch. Those that an earlier batch delivered lie in that
 * batch's folder and are not among them.
 *
 * @returns null for a text that is not a certificate.
 */
export function listedFiles(text: string): readonly ListedFile[] | null {
  const { data } = Certificate.safeParse(jsonOf(text));
  if (!data) return null;
  const own = `${data.batch}/`;
  const files = data.movies.flatMap((movie) => movie.files).filter(({ path }) => path.startsWith(own));
  return files.map(({ path, sha256 }) => ({ path: path.slice(own.length), sha256 }));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
