import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Brief } from '../domain/brief.js';
import { contentDigest } from '../domain/digests/content-digest.js';
import type { Actor } from '../domain/roles.js';
import type { Service } from '../domain/service.js';
import { sliceBatch } from '../ledger/batches/slices.js';
import { type Ledger, openLedger } from '../ledger/ledger.js';
import { setBudget } from '../ledger/money/budgets.js';
import { admitRow } from '../ledger/orders/admission.js';
import { recordAnswer } from '../ledger/orders/record-answer.js';
import { createBatch, type NewRow } from '../ledger/plan/create-batch.js';
import { approveBatch } from '../ledger/plan/decisions.js';
import { recordEstimates, rowsToEstimate } from '../ledger/plan/estimates.js';
import { sealBatch } from '../ledger/plan/seal.js';
import { recordDelivered } from '../ledger/progress/deliveries.js';
import { type Poll, recordPolls } from '../ledger/progress/polls.js';
import { settleBatch } from '../ledger/progress/settle.js';
import { line } from './report.js';

const actor: Actor = { name: 'bench', roles: ['submitter', 'finance', 'operator'], channel: 'terminal' };
/** Whoever asks does not approve, where several machines share the books. */
const approver: Actor = { name: 'second', roles: ['finance'], channel: 'terminal' };
const service: Service = { name: 'studio', baseUrl: 'embedded', rehearsal: true };
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

async function benchOneRow(ledger: Ledger): Promise<void> {
  const rows = sheet('few', fewRows);
  const { batchId } = await submit(ledger, 'few', rows);
  await price(ledger, batchId);
  await sealBatch(ledger, { batchId });
  await approveBatch(ledger, { batchId, actor: approver, nowMs: Date.now() });
  await sliceBatch(ledger, { batchId, sliceRows: 100 });
  const keys = rows.map(({ brief }) => brief.rowKey);
  const movieOf = (rowKey: string) => `movie_${rowKey.replaceAll('-', 'x')}`;
  const slices = keys.map((_, index) => Math.floor(index / 100));
  await each('admitRow', keys, async (rowKey) => {
    const { kind } = await admitRow(ledger, { batchId, rowKey, service });
    if (kind !== 'send') throw new Error(`Cannot measure admissions: ${rowKey} is ${kind}`);
  });
  await each('recordAnswer', keys, (rowKey) =>
    recordAnswer(ledger, {
      ...{ batchId, rowKey, attempt: 1, followInMs: 0 },
      answer: { kind: 'movie', movieId: movieOf(rowKey), echo: 'matches' },
    }),
  );
  const look = (rowKey: string, status: string): Poll =>
    ({
      ...{ kind: 'answered', rowKey, movieId: movieOf(rowKey), status, percent: 50, stage: status, error: null },
      ...{ cancelSent: false, followAtMs: Date.now() },
    }) as const;
  for (const status of ['rendering', 'completed']) {
    await each(`recordPolls, a movie (${status})`, keys, (_, index) => {
      if (index % 20 !== 0) return Promise.resolve();
      const polls = keys.slice(index, index + 20).map((rowKey) => look(rowKey, status));
      return recordPolls(ledger, { batchId, slice: slices[index] ?? 0, polls });
    });
  }
  await each('recordDelivered', keys, (rowKey) => {
    const files = ['final_video', 'poster', 'storyboard', 'captions'].map((type) => ({
      ...{ assetId: `asset_${rowKey}_${type}`, type, path: `${batchId}/${rowKey}/${type}` },
      ...{ sizeBytes: 1_000, sha256: 'ab'.repeat(32) },
    }));
    return recordDelivered(ledger, { batchId, rowKey, files, verdict: 'as ordered', nowMs: Date.now() });
  });
  await timed('closed', () => settleBatch(ledger, { batchId, nowMs: Date.now() }));
}

function sheet(prefix: string, count: number): readonly NewRow[] {
  return Array.from({ length: count }, (_, index) => {
    const brief: Brief = {
      rowKey: `${prefix}-${String(index).padStart(6, '0')}`,
      prompt: `A runner at dawn in Lisbon, close on the shoe, take ${index}; hand-held, warm light, no words`,
      ...{ durationSeconds: 20, aspectRatio: '16:9', style: 'hand-held, warm light', references: [] },
    };
    return {
      brief,
      contentDigest: contentDigest(brief) ?? '',
      cells: [brief.rowKey, brief.prompt, '20'],
      row: index + 2,
    };
  });
}

async function submit(
  ledger: Ledger,
  campaign: string,
  rows: readonly NewRow[],
): Promise<{ readonly batchId: string }> {
  await setBudget(ledger, {
    rehearsal: true,
    path: campaign,
    limitMinor: 1_000_000_000,
    currency: 'USD',
    actor,
    nowMs: Date.now(),
  });
  return createBatch(ledger, {
    ...{ service, campaign, actor, nowMs: Date.now() },
    manifest: { name: `${campaign}.csv`, columns: ['id', 'prompt', 'duration'] },
    settings: {
      ...{ budgetPath: campaign, currency: null, tolerance: null, canary: null, maxInFlight: null, include: [] },
      ...{ deadlineSeconds: null, respend: false, allowDuplicates: false, allowFree: false },
    },
    rows: () => pages(rows),
  });
}

async function* pages(rows: readonly NewRow[]): AsyncGenerator<readonly NewRow[]> {
  for (let from = 0; from < rows.length; from += 1_000) yield rows.slice(from, from + 1_000);
}

async function price(ledger: Ledger, batchId: string): Promise<void> {
  const answer = {
    amountMinor: 300,
    currency: 'USD',
    credits: 3,
    runtimeSeconds: 30,
    assumptions: ['charged if failed'],
  };
  for (let afterPosition: number | null = null; ; ) {
    const rows = await rowsToEstimate(ledger, { batchId, afterPosition, limit: 500 });
    const last = rows.at(-1);
    if (!last) return;
    const estimates = rows.map(({ rowKey }) => ({ rowKey, ...answer }));
    await recordEstimates(ledger, { batchId, estimates });
    afterPosition = last.position;
  }
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
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
