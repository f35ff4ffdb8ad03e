import type { Readable } from 'node:stream';

/** What identifies a file's content. `sha256` is lower-case hex. */
export interface Content {
  readonly sha256: string;
  readonly sizeBytes: number;
}

/**
 * The outcome of a publication: it is new; the same content was there before (a repeat after a crash, which is fine);
 * or the name holds other content, which is left alone.
 */
export type Published = 'published' | 'already there' | 'taken';

/**
 * Where finished files go. A file appears under its name complete or not at all, and a name once given never changes
 * its content: the caller decides what to do about a taken name (`archiveMovie` takes the next free one).
 *
 * Paths are relative, with `/` between segments of letters, digits, `.`, `_` and `-` that start with a letter or digit.
 * Every method rejects with a `RangeError` for any other path, and with a `StorageError` when the store refuses.
 */
export interface ArchiveStore {
  /** E.g. "file:///srv/movies" or "s3://movies/greenlight". */
  readonly url: string;
  /** What does not belong to a movie: hidden from `list` and `folders`. */
  readonly notes: ArchiveNotes;
  /** Opens a folder to publish into; creates it if missing. */
  openFolder(folder: string): Promise<ArchiveFolder>;
  /** Null when there is no such file. */
  stat(path: string): Promise<{ readonly sizeBytes: number } | null>;
  open(path: string, range?: ByteRange): Promise<Readable>;
  /** The finished files below a folder, as paths of the store, sorted; none when the folder is not there. */
  list(folder: string): Promise<readonly string[]>;
  /** The folders right below one, or below the archive itself, as paths of the store, sorted. */
  folders(below?: string): Promise<readonly string[]>;
  /**
   * Makes an address that lets anyone who has it read the file for a while, at most seven days; null for a store that
   * has none.
   */
  readonly presign: ((path: string, seconds: number) => Promise<string>) | null;
  /**
   * Checks that the store can be reached and written now.
   *
   * @throws StorageError that says what to fix.
   */
  check(): Promise<void>;
}

/** Bytes of a file, both ends included, as HTTP counts them. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Short texts that an archive keeps about itself: how far ledgers were, whose it is. Paths follow the store's rules,
 * with one or two segments.
 */
export interface ArchiveNotes {
  /** Paths of the notes in a folder of notes. */
  list(folder: string): Promise<readonly string[]>;
  /** Null when there is none. */
  read(path: string): Promise<string | null>;
  /** Creates a note unless it exists; of concurrent calls one succeeds. It survives a power cut. */
  create(path: string, text: string): Promise<'created' | 'taken'>;
  /** Replaces the whole text of a note; it survives a power cut. */
  write(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
}

/** One folder of a store. Names follow the rules of path segments. */
export interface ArchiveFolder {
  readonly work: WorkPlace;
  /**
   * Makes these local files, which must not change any more, survive a power cut; one that the disk does not take is
   * removed. Several at once cost the disk little more than one.
   */
  confirm(localFiles: readonly string[]): Promise<void>;
  /** Publishes a confirmed local file; it stays where it is. */
  publish(name: string, localFile: string, content: Content): Promise<Published>;
  /** Publishes a short text as UTF-8. */
  writeText(name: string, text: string): Promise<Published>;
  /** Makes everything that was published here survive a power cut. */
  sync(): Promise<void>;
  /** Removes every unfinished file of this folder. */
  dropWork(): Promise<void>;
}

/** Where the unfinished files of one folder are kept, locally and across restarts; not a part of the archive. */
export interface WorkPlace {
  readonly path: string;
  /** Every unfinished file's name begins with it. */
  readonly prefix: string;
  /** The unfinished files that were there when the folder was opened. */
  readonly entries: readonly string[];
}

/**
 * Checks a path of the store and returns its segments.
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

/** Whether a name may be a segment of a path: a person may have added other files. */
export function isSegment(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(name);
}

/** The same for one name. */
export function checkedName(name: string): string {
  if (segmentsOf(name).length === 1) return name;
  throw new RangeError(`Cannot use archive name ${JSON.stringify(name)}: expected no "/" in it`);
}
