import { type FileHandle, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { removeUnfinished, unfinishedName } from '../processes/unfinished-files.js';

/** Where the reports of one batch go. */
export interface ReportTarget {
  /** Begins a report. Readers see the older one of that name, or none, until this one is published. */
  begin(name: string): Promise<ReportFile>;
  /**
   * The text of a small file of the archive, for a page that is opened from a disk, where a browser reads no captions
   * beside it; null for a file that is not there. Left out where pages come from a server.
   */
  textOf?(path: string): Promise<string | null>;
}

/** A report that is being written, piece by piece. */
export interface ReportFile {
  write(text: string): Promise<void>;
  /** Puts the report under its name, whole. */
  publish(): Promise<void>;
  /** Leaves nothing of it; after `publish` it does nothing. */
  discard(): Promise<void>;
}

/** Text is gathered up to this size before it is written: rows are short, and each write is a system call. */
const chunkCharacters = 64 * 1024;

/**
 * A folder on this machine; it is made when the first report begins.
 *
 * @param archive the archive's own folder, where that is one of this machine
 */
export function createReportFolder(folder: string, archive?: string): ReportTarget {
  const beginPart = partsIn(folder);
  return {
    ...(archive !== undefined && { textOf: (path) => smallText(join(archive, path)) }),
    async begin(name) {
      const part = await beginPart(name);
      return new LocalReport(part, () => rename(part.path, join(folder, name)));
    },
  };
}

/** Longer captions would make a page heavy. */
const maxTextBytes = 64 * 1024;

async function smallText(file: string): Promise<string | null> {
  try {
    const { size } = await stat(file);
    return size > maxTextBytes ? null : await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Reports that are written on this machine and sent on as a whole.
 *
 * @param send sends the local file; readers see all of it or nothing.
 */
export function createReportUpload(
  folder: string,
  send: (name: string, localFile: string) => Promise<void>,
): ReportTarget {
  const beginPart = partsIn(folder);
  return {
    async begin(name) {
      const part = await beginPart(name);
      return new LocalReport(part, async () => {
        await send(name, part.path);
        await rm(part.path, { force: true });
      });
    },
  };
}

interface Part {
  readonly file: FileHandle;
  readonly path: string;
}

/** Begins files in a folder, after it has taken away once what killed processes left there: it has a folder for each row. */
function partsIn(folder: string): (name: string) => Promise<Part> {
  let swept: Promise<void> | undefined;
  return async (name) => {
    await mkdir(folder, { recursive: true });
    swept ??= removeUnfinished(folder).catch(() => undefined); // where nobody may remove them, they stay
    await swept;
    const path = join(folder, unfinishedName(name));
    return { file: await open(path, 'wx'), path };
  };
}

class LocalReport implements ReportFile {
  readonly #file: FileHandle;
  readonly #path: string;
  readonly #give: () => Promise<void>;
  #gathered = '';
  #open = true;

  constructor({ file, path }: Part, give: () => Promise<void>) {
    this.#file = file;
    this.#path = path;
    this.#give = give;
  }

  async write(text: string): Promise<void> {
    this.#gathered += text;
    if (this.#gathered.length >= chunkCharacters) await this.#flush();
  }

  async publish(): Promise<void> {
    await this.#flush();
    await this.#file.sync();
    await this.#close();
    await this.#give();
  }

  async discard(): Promise<void> {
    await this.#close();
    await rm(this.#path, { force: true });
  }

  async #flush(): Promise<void> {
    const text = this.#gathered;
    this.#gathered = '';
    await this.#file.writeFile(text); // from where the last one ended
  }

  async #close(): Promise<void> {
    if (this.#open) await this.#file.close();
    this.#open = false;
  }
}

/** A report that is there as a whole. */
export async function writeReport(target: ReportTarget, name: string, text: string): Promise<void> {
  const file = await target.begin(name);
  try {
    await file.write(text);
    await file.publish();
  } finally {
    await file.discard();
  }
}
