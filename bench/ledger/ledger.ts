import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sliceBatch } from '../../ledger/batches/slices.js';
import { type Ledger, openLedger } from '../../ledger/ledger.js';
import { admitRow } from '../../ledger/orders/admission.js';
import { recordAnswer } from '../../ledger/orders/record-answer.js';
import { approveBatch } from '../../ledger/plan/decisions.js';
import { sealBatch } from '../../ledger/plan/seal.js';
import { recordDelivered } from '../../ledger/progress/deliveries.js';
import { recordPolls } from '../../ledger/progress/polls.js';
import { settleBatch } from '../../ledger/progress/settle.js';
import { line } from '../report.js';
import { acceptedAs, approver, batchInTheMaking, filesOf, lookAt, price, service, sheet, submit } from './batch.js';

const manyRows = 100_000;
const fewRows = 2_000;

/**
 * What the books cost: a batch of a hundred thousand rows from sheet to close, and one row's way through them. On
 * SQLite, and on PostgreSQL where `GREENLIGHT_TEST_POSTGRES_URL` names an empty database.
 */
export async function benchLedger(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'ledger-'));
  const urls = [`sqlite:${join(folder, 'ledger.db')}`, process.env.GREENLIGHT_TEST_POSTGRES_URL];
  for (const url of urls) {
    if (!url) continue;
    const ledger = await openLedger({ url, migrate: true });
    line(`ledger on ${ledger.dialect}`);
    try {
      await benchManyRows(ledger);
      await benchOneRow(ledger);
    } finally {
      await ledger.close();
    }
  }
}

async function benchManyRows(ledger: Ledger): Promise<void> {
  const rows = sheet('many', manyRows);
  const { batchId } = await timed(`${manyRows} rows into the ledger`, () => submit(ledger, 'many', rows));
  await timed('  priced', () => price(ledger, batchId));
  await timed('  sealed', () => sealBatch(ledger, { batchId }));
  await timed('  approved', () => approveBatch(ledger, { batchId, actor: approver, nowMs: Date.now() }));
  await timed('  cut into slices', () => sliceBatch(ledger, { batchId, sliceRows: 100 }));
  await ledger.db.updateTable('rows').set({ state: 'delivered', open: 0 }).where('batch_id', '=', batchId).execute();
  await timed('  closed', () => settleBatch(ledger, { batchId, nowMs: Date.now() }));
  const again = await timed('  the same sheet again', () => submit(ledger, 'many', rows));
  await timed('  sealed', () => sealBatch(ledger, { batchId: again.batchId }));
}

/** @returns the batch, which is closed then. */
export async function benchOneRow(ledger: Ledger, campaign = 'few'): Promise<string> {
  const rows = sheet(campaign, fewRows);
  const batchId = await batchInTheMaking(ledger, campaign, rows);
  const keys = rows.map(({ brief }) => brief.rowKey);
  const slices = keys.map((_, index) => Math.floor(index / 100));
  const sends = new Map<string, number>();
  await each('admitRow', keys, async (rowKey) => {
    const admission = await admitRow(ledger, { batchId, rowKey, service });
    if (admission.kind !== 'send') throw new Error(`Cannot measure admissions: ${rowKey} is ${admission.kind}`);
    sends.set(rowKey, admission.send);
  });
  await each('recordAnswer', keys, (rowKey) =>
    recordAnswer(ledger, {
      ...{ batchId, rowKey, attempt: 1, send: sends.get(rowKey) ?? 0, followInMs: 0 },
      answer: acceptedAs(rowKey),
    }),
  );
  for (const status of ['rendering', 'completed']) {
    await each(`recordPolls, a movie (${status})`, keys, (_, index) => {
      if (index % 20 !== 0) return Promise.resolve();
      const polls = keys.slice(index, index + 20).map((rowKey) => lookAt(rowKey, status));
      return recordPolls(ledger, { batchId, slice: slices[index] ?? 0, polls });
    });
  }
  await each('recordDelivered', keys, (rowKey) =>
    recordDelivered(ledger, { ...filesOf(batchId, rowKey), verdict: 'as ordered', nowMs: Date.now() }),
  );
  await timed('closed', () => settleBatch(ledger, { batchId, nowMs: Date.now() }));
  return batchId;
}

export async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const [cpu, start] = [process.cpuUsage(), performance.now()];
  const answer = await work();
  const { user, system } = process.cpuUsage(cpu);
  const wallMs = performance.now() - start;
  const memory = Math.round(process.memoryUsage().rss / 1e6);
  line(
    `${what.padEnd(40)} ${wallMs.toFixed(0).padStart(7)} ms  cpu ${((user + system) / 1e3).toFixed(0)} ms  rss ${memory} MB`,
  );
  return answer;
}

/** Twenty side by side, as slices do. */
async function each(
  what: string,
  keys: readonly string[],
  work: (rowKey: string, index: number) => Promise<unknown>,
): Promise<void> {
  const [cpu, start] = [process.cpuUsage(), performance.now()];
  const rest = keys.entries();
  const lane = async () => {
    for (const [index, rowKey] of rest) await work(rowKey, index);
  };
  await Promise.all(Array.from({ length: 20 }, lane));
  const { user, system } = process.cpuUsage(cpu);
  const [wall, used] = [performance.now() - start, (user + system) / 1e3].map((ms) => (ms / keys.length).toFixed(3));
  line(`${what.padEnd(40)} ${wall?.padStart(7)} ms  cpu ${used} ms each`);
}
