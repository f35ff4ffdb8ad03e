import type { Readable } from 'node:stream';

/** What identifies a file's content. `sha256` is lower-case hex. */
export interface Content {
  readonly sha256: string;
  readonly sizeBytes: number;
}

/**
 * What became of a publication: it is new; the same content was there before (a repeat after a crash, which is fine);
 * or the name holds other content, which stays as it is.
 */
export type Published = 'published' | 'already there' | 'taken';

/**
 * Where finished files go. A file appears under its name complete or not at all, and a name once given never changes
 * its content: what to do about a taken name is the caller's decision (`archiveMovie` takes the next free one).
 *
 * Paths are relative, with `/` between segments of letters, digits, `.`, `_` and `-` that start with a letter or digit.
 * Every method rejects with a `RangeError` for any other path, and with a `StorageError` when the store refuses.
 */
export interface ArchiveStore {
  /** As "file:///srv/movies" or "s3://movies/greenlight". */
  readonly url: string;
  /** What is not a movie's: out of sight of `list` and `folders`. */
  readonly notes: ArchiveNotes;
  /** Opens a folder to publish into; made if it is not there. */
  openFolder(folder: string): Promise<ArchiveFolder>;
  /** Null when nothing is there. */
  stat(path: string): Promise<{ readonly sizeBytes: number } | null>;
  open(path: string, range?: ByteRange): Promise<Readable>;
  /** The finished files below a folder, as paths of the store, sorted; none when the folder is not there. */
  list(folder: string): Promise<readonly string[]>;
  /** The folders right below one, or below the archive itself, as paths of the store, sorted. */
  folders(below?: string): Promise<readonly string[]>;
  /**
   * An address by which whoever has it reads the file for a while, at most seven days; null for a store that has none.
   */
  readonly presign: ((path: string, seconds: number) => Promise<string>) | null;
  /**
   * Whether it can be reached and written now.
   *
   * @throws StorageError that says what is to be set right.
   */
  check(): Promise<void>;
}

/** Bytes of a file, both ends included, as HTTP counts them. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Short texts that an archive keeps about itself: how far ledgers were, whose it is. Paths are as of the store, with one
 * segment or two.
 */
export interface ArchiveNotes {
  /** Paths of the notes in a folder of notes. */
  list(folder: string): Promise<readonly string[]>;
  /** Null when there is none. */
  read(path: string): Promise<string | null>;
  /** Makes a note that is not there yet; of many who try at once, one does. It outlives a power cut. */
  create(path: string, text: string): Promise<'created' | 'taken'>;
  /** Puts the text in the place of whatever is there, whole; it outlives a power cut. */
  write(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
}

/** One folder of a store. Names follow the rule of path segments. */
export interface ArchiveFolder {
  readonly work: WorkPlace;
  /**
   * Once this resolves, a power cut takes nothing of these local files, which must not change any more; one that
   * the disk does not take is removed. Several at once cost the disk little more than one.
   */
  confirm(localFiles: readonly string[]): Promise<void>;
  /** Publishes a confirmed local file; it stays where it is. */
  publish(name: string, localFile: string, content: Content): Promise<Published>;
  /** Publishes a short text as UTF-8. */
  writeText(name: string, text: string): Promise<Published>;
  /** Once this resolves, a power cut loses nothing that was published here. */
  sync(): Promise<void>;
  /** Removes every unfinished file of this folder. */
  dropWork(): Promise<void>;
}

/** Where the unfinished files of one folder are kept, locally and over restarts; they are no part of the archive. */
export interface WorkPlace {
  readonly path: string;
  /** Every unfinished file's name begins with it. */
  readonly prefix: string;
  /** The unfinished files that were there when the folder was opened. */
  readonly entries: readonly string[];
}

/**
 * Checks a path of the store and gives its segments.
 *
 * @throws RangeError when a segment could leave the archive, hide in it, or mean different files on different systems.
 */
export function segmentsOf(path: string): readonly string[] {
  const segments = path.split('/');
  if (!segments.every(isSegment)) {
    throw new RangeError(
      `Cannot use archive path ${JSON.stringify(path)}: expected segments of letters, digits, ".", "_" and "-"`,
    );
  }
  return segments;
}

/** Whether a name may be a segment of a path: a person may have put others beside. */
export function isSegment(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(name);
}

/** The same for one name. */
export function checkedName(name: string): string {
  if (segmentsOf(name).length === 1) return name;
  throw new RangeError(`Cannot use archive name ${JSON.stringify(name)}: expected no "/" in it`);
}
