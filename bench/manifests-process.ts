import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import Papa from 'papaparse';
import { checkManifest, fileSource, readBriefs } from '../manifests/read-manifest.js';
import { measure } from './measured-process.js';

export interface ReadOptions {
  readonly path: string;
  readonly how: 'csv-parse' | 'papaparse' | 'check' | 'briefs';
}

export interface ReadResult {
  readonly elapsedMs: number;
  readonly rows: number;
}

/** Reads one manifest in one way, in a process that has read nothing before. */
measure<ReadOptions, ReadResult>(async ({ path, how }, start) => {
  start();
  const startedAt = performance.now();
  const rows = await readers[how](path);
  return { elapsedMs: performance.now() - startedAt, rows };
});

const readers: Readonly<Record<ReadOptions['how'], (path: string) => Promise<number>>> = {
  async 'csv-parse'(path) {
    let rows = 0;
    for await (const _ of createReadStream(path).pipe(parse({}))) rows += 1;
    return rows - 1;
  },
  papaparse(path) {
    let rows = 0;
    return new Promise((resolve, reject) => {
      Papa.parse<string[]>(createReadStream(path, 'utf8'), {
        step: () => {
          rows += 1;
        },
        complete: () => resolve(rows - 1),
        error: reject,
      });
    });
  },
  async check(path) {
    const { rows, errors } = await checkManifest(await fileSource(path), {});
    if (errors > 0) throw new Error(`Cannot measure ${path}: it has ${errors} errors`);
    return rows;
  },
  async briefs(path) {
    let rows = 0;
    for await (const page of readBriefs(await fileSource(path), {})) rows += page.length;
    return rows;
  },
};
