import { mkdtemp } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sql } from 'kysely';
import type { Ledger } from '../../ledger/ledger.js';
import { sheet, submit } from '../ledger/batch.js';
import { measure } from '../measured-process.js';
import { type Served, serveBench } from './served.js';

export interface StreamsOptions {
  readonly folder: string;
  readonly streams: number;
  /** Of them, those that never read what they are sent. */
  readonly deaf: number;
  /** Open batches, all of which change between two looks: what a stream is told at once. */
  readonly batches: number;
  readonly seconds: number;
}

export interface Streamed {
  /** Held by the process, in MB: with all streams open, and after each quarter of the time. */
  readonly heapMb: readonly number[];
  readonly rssMb: readonly number[];
  /** What those that read were told, each. */
  readonly readMb: number;
}

/*
 * Both ends are in this process: what grows on either side is seen. What a kernel keeps for who does not read is some
 * megabytes a connection, so that more than that has to be told before it matters what the desk does.
 */
measure<StreamsOptions, Streamed>(async ({ folder, streams, deaf, batches, seconds }, start) => {
  const served = await serveBench(await mkdtemp(join(folder, 'streams-')));
  const { ledger } = served.installation;
  await openBatches(ledger, batches);
  const sockets: Socket[] = [];
  for (let index = 0; index < streams; index += 1) sockets.push(await stream(served));
  let read = 0;
  for (const socket of sockets.slice(deaf)) socket.on('data', (chunk) => (read += chunk.length)).resume();
  start();
  const figures = [await changeFor(ledger, 0)];
  for (let quarter = 0; quarter < 4; quarter += 1) figures.push(await changeFor(ledger, seconds / 4));
  for (const socket of sockets) socket.destroy();
  await served.close();
  return {
    heapMb: figures.map(({ heapMb }) => heapMb),
    rssMb: figures.map(({ rssMb }) => rssMb),
    readMb: read / (streams - deaf) / 2 ** 20,
  };
});

/** One batch that was submitted, and copies of it. */
async function openBatches(ledger: Ledger, count: number): Promise<void> {
  const { batchId } = await submit(ledger, 'flood', sheet('flood', 1));
  const { rows } = await sql<{ name: string }>`select name from pragma_table_info('batches')`.execute(ledger.db);
  const own: Readonly<Record<string, string>> = { batch_id: `'flood-' || (n + 1)`, number: 'n + 1' };
  const names = rows.map(({ name }) => name);
  await sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
    insert into batches (${sql.raw(names.join())}) select ${sql.raw(names.map((name) => own[name] ?? name).join())}
    from batches, numbers where batch_id = ${batchId}`.execute(ledger.db);
}

/** A browser's stream, from which nothing is read yet. */
async function stream({ url, cookie }: Served): Promise<Socket> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.pause();
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  socket.write(`GET /stream HTTP/1.1\r\nhost: ${host}\r\ncookie: ${cookie}\r\n\r\n`);
  return socket;
}

/** Until those that read have read all: what is held after that is held for those that do not. */
const quietMs = 5_000;

async function changeFor(ledger: Ledger, seconds: number) {
  const until = performance.now() + seconds * 1_000;
  while (performance.now() < until) {
    await sql`update batches set revision = revision + 1`.execute(ledger.db);
    await sleep(1_000);
  }
  await sleep(quietMs);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let times = 0; times < 2; times += 1) collect();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heapMb: (heapUsed + external) / 2 ** 20, rssMb: rss / 2 ** 20 };
}
