import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the reports of one batch go. */
export interface ReportTarget {
  /** Writes a report under its name, in place of an older one: readers see the old or the new one, never half of it. */
  write(name: string, parts: AsyncIterable<string> | Iterable<string>): Promise<void>;
}

/** Text is gathered up to this size before it is written: rows are short, and each write is a system call. */
const chunkCharacters = 64 * 1024;

/** A folder on this machine; it is made when the first report is written. */
export function createReportFolder(folder: string): ReportTarget {
  return {
    async write(name, parts) {
      await mkdir(folder, { recursive: true });
      const part = join(folder, `.${name}.${randomUUID()}.part`);
      try {
        const file = await open(part, 'wx');
        try {
          let gathered = '';
          for await (const text of parts) {
            gathered += text;
            if (gathered.length < chunkCharacters) continue;
            await file.writeFile(gathered);
            gathered = '';
          }
          await file.writeFile(gathered);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(part, join(folder, name));
      } finally {
        await rm(part, { force: true });
      }
    },
  };
}
