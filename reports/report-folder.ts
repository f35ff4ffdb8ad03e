import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the reports of one batch go. */
export interface ReportTarget {
  /** Begins a report. Readers see the older one of that name, or none, until this one is published. */
  begin(name: string): Promise<ReportFile>;
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

/** A folder on this machine; it is made when the first report begins. */
export function createReportFolder(folder: string): ReportTarget {
  return {
    async begin(name) {
      await mkdir(folder, { recursive: true });
      const part = join(folder, `.${name}.${randomUUID()}.part`);
      return new FolderReport(await open(part, 'wx'), { part, path: join(folder, name) });
    },
  };
}

class FolderReport implements ReportFile {
  readonly #file: FileHandle;
  readonly #paths: { readonly part: string; readonly path: string };
  #gathered = '';
  #open = true;

  constructor(file: FileHandle, paths: { readonly part: string; readonly path: string }) {
    this.#file = file;
    this.#paths = paths;
  }

  async write(text: string): Promise<void> {
    this.#gathered += text;
    if (this.#gathered.length >= chunkCharacters) await this.#flush();
  }

  async publish(): Promise<void> {
    await this.#flush();
    await this.#file.sync();
    await this.#close();
    await rename(this.#paths.part, this.#paths.path);
  }

  async discard(): Promise<void> {
    await this.#close();
    await rm(this.#paths.part, { force: true });
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
