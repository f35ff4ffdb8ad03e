import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import type { Ledger } from '../../ledger/ledger.js';
import { sealBatch } from '../../ledger/plan/seal.js';
import { batchInTheMaking, price, sheet, submit } from '../ledger/batch.js';
import { writeSheet } from '../manifests.js';
import { runMeasured } from '../measured-process.js';
import { curve, line, table, target } from '../report.js';
import { type Served, serveBench } from './served.js';
import type { Streamed, StreamsOptions } from './streams-process.js';
import type { Uploaded, UploadOptions } from './upload-process.js';

const looks = 40;

interface Figures {
  readonly page: string;
  readonly p50: number;
  readonly p95: number;
  readonly cpuMs: number;
  readonly kb: number;
  readonly gzKb: number;
}

/**
 * What a page of the desk costs beside batches of one thousand to a hundred thousand rows, of which one is in the making
 * and one waits; and what it takes to bring a sheet of that size.
 */
export async function benchDesk({ small }: { readonly small: boolean }): Promise<void> {
  const sizes = small ? [1_000, 10_000] : [1_000, 10_000, 100_000];
  const found = new Map<number, readonly Figures[]>();
  for (const rows of sizes) {
    const served = await serveBench(await mkdtemp(join(tmpdir(), 'desk-')));
    try {
      found.set(rows, await lookAtPages(served, await fill(served.installation.ledger, rows)));
    } finally {
      await served.close();
    }
  }
  const most = found.get(Math.max(...sizes)) ?? [];
  const cell = ({ p50, p95, cpuMs }: Figures) => `${p50.toFixed(0)} / ${p95.toFixed(0)}, ${cpuMs.toFixed(1)}`;
  table(
    ['first byte p50 / p95 ms, CPU ms', ...sizes.map((rows) => rows.toLocaleString('en')), 'HTML KB', 'gzip KB'],
    most.map(({ page, kb, gzKb }, index) => [
      page,
      ...sizes.map((rows) => cell(found.get(rows)?.[index] as Figures)), // the same pages at each size
      ...[kb.toFixed(0), gzKb.toFixed(1)],
    ]),
  );
  for (const [index, { page, p95, kb, gzKb }] of most.entries()) {
    target({ what: `${page}: first byte, p95`, value: p95, unit: ' ms', atMost: 150 });
    target({ what: `${page}: HTML`, value: kb, unit: ' KB', atMost: 80 });
    target({ what: `${page}: HTML with gzip`, value: gzKb, unit: ' KB', atMost: 12 });
    const points = sizes.map((rows) => ({ x: rows, y: found.get(rows)?.[index]?.cpuMs ?? 0 }));
    curve({ title: `${page}: CPU ms`, points });
  }
  await benchUpload(Math.max(...sizes));
  await benchStreams(small ? 20 : 240);
}

/** A batch in the making, six tenths of it delivered, and one that waits for its approval. */
async function fill(ledger: Ledger, rows: number): Promise<{ readonly making: string; readonly waiting: string }> {
  const making = await batchInTheMaking(ledger, 'making', sheet('many', rows));
  const { batchId: waiting } = await submit(ledger, 'waiting', sheet('more', rows));
  await price(ledger, waiting);
  await sealBatch(ledger, { batchId: waiting });
  const ofMaking = sql`batch_id = ${making}`;
  await sql`update rows set open = 0, state = 'delivered', verdict = 'as ordered', ended_ms = ${Date.now()}
    where ${ofMaking} and position % 20 < 12`.execute(ledger.db);
  await sql`update rows set open = 0, state = 'failed', reason = 'moderation', ended_ms = ${Date.now()}
    where ${ofMaking} and position % 20 = 12`.execute(ledger.db);
  await sql`update rows set state = 'running', ordered_ms = ${Date.now()} where ${ofMaking} and position % 20 = 13`.execute(
    ledger.db,
  );
  for (const [type, name] of [
    ['final_video', 'final.mp4'],
    ['poster', 'poster.jpg'],
  ]) {
    await sql`insert into files select batch_id, row_key, 'asset_' || ${type} || row_key, ${type},
      batch_id || '/' || row_key || '/' || ${name}, 1000, ${'ab'.repeat(32)}
      from rows where ${ofMaking} and state = 'delivered'`.execute(ledger.db);
  }
  return { making, waiting };
}

async function lookAtPages(
  { url, headers }: Served,
  { making, waiting }: { readonly making: string; readonly waiting: string },
): Promise<readonly Figures[]> {
  const pages = [
    ['batches', '/'],
    ['a batch', `/batches/${making}`],
    ['filtered rows', `/batches/${making}?state=failed`],
    ['a plan', `/batches/${waiting}/plan`],
    ['gallery', `/batches/${making}/gallery`],
  ] as const;
  const figures: Figures[] = [];
  for (const [page, path] of pages) {
    const firstBytes: number[] = [];
    let html = '';
    const read = async () => {
      const startedAt = performance.now();
      const answer = await fetch(url + path, { headers });
      firstBytes.push(performance.now() - startedAt);
      html = await answer.text();
      if (answer.status !== 200) throw new Error(`Cannot bench ${path}: it answered ${answer.status}`);
    };
    await read(); // what is loaded with the first look
    firstBytes.pop();
    const before = process.cpuUsage();
    for (let look = 0; look < looks; look += 1) await read();
    const { user, system } = process.cpuUsage(before);
    const sorted = firstBytes.sort((one, other) => one - other);
    const share = (part: number) => sorted[Math.ceil(sorted.length * part) - 1] ?? 0;
    const cpuMs = (user + system) / 1_000 / looks;
    const [kb, gzKb] = [Buffer.byteLength(html) / 1_024, gzipSync(html).length / 1_024];
    figures.push({ page, p50: share(0.5), p95: share(0.95), cpuMs, kb, gzKb });
  }
  return figures;
}

async function benchUpload(rows: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'desk-'));
  const path = await writeSheet(join(folder, 'sheet.csv'), rows);
  const run = (how: UploadOptions['how']) => runMeasured<Uploaded>('desk/upload-process.ts', { path, folder, how });
  const [check, upload] = [await run('check'), await run('upload')];
  const words = ({ result, cpuMs }: Awaited<ReturnType<typeof run>>) =>
    `${result.elapsedMs.toFixed(0)} ms, CPU ${cpuMs.toFixed(0)} ms, ${result.moreMb.toFixed(0)} MB more`;
  line(`a sheet of ${rows.toLocaleString('en')} rows, checked: ${words(check)}; brought and shown: ${words(upload)}`);
  target({ what: 'brought, beside checked: CPU', value: upload.cpuMs / check.cpuMs, atMost: 1.5, unit: ' times' });
  target({ what: 'brought: memory', value: upload.result.moreMb, unit: ' MB', atMost: 150 });
}

/** Browsers that listen, and some of them that do not read: a laptop that was closed, a proxy that hangs. */
async function benchStreams(seconds: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'desk-'));
  const options: StreamsOptions = { folder, streams: 200, deaf: 20, batches: 20_000, seconds };
  const { result } = await runMeasured<Streamed>('desk/streams-process.ts', options);
  const { heapMb, rssMb, readMb } = result;
  const words = (figures: readonly number[]) => figures.map((figure) => figure.toFixed(0)).join(', ');
  line(
    `200 streams, 20 that never read, ${seconds} s in which each was told ${readMb.toFixed(0)} MB: heap ${words(heapMb)} MB, ` +
      `resident ${words(rssMb)} MB (all open, and after each quarter)`,
  );
  const [before = 0, end = 0] = heapMb.slice(-2);
  target({ what: 'streams: growth of the heap in the last quarter', value: end - before, unit: ' MB', atMost: 5 });
}
