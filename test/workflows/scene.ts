import { expect, vi } from 'vitest';
import type { Brief } from '../../domain/brief.js';
import type { BatchSettings } from '../../ledger/batches/batch-record.js';
import { readBatch } from '../../ledger/batches/batches.js';
import { listRows, readRow } from '../../ledger/batches/rows.js';
import { requestCancel } from '../../ledger/progress/cancels.js';
import { type Product, type ProductOptions, startProduct, submitter } from './product.js';

/** A product with the short words that stories about batches are told in. */
export interface Scene extends Product {
  /** Waits for a state in real time: the server skips none while nobody awaits a result. */
  waiting(batchId: string): Promise<void>;
  inState(batchId: string, rowKey: string, state: string): Promise<void>;
  /** Submitted, priced, approved and under way. */
  making(briefs: readonly Brief[], settings?: Partial<BatchSettings>): Promise<string>;
  states(batchId: string): Promise<Readonly<Record<string, string>>>;
  /** The intent alone, without any signal. */
  cancel(batchId: string, rowKeys: readonly string[] | 'all'): Promise<void>;
}

export async function startScene(options?: ProductOptions): Promise<Scene> {
  const product = await startProduct(options);
  const { ledger } = product;
  const scene: Scene = {
    ...product,
    waiting: (batchId) => until(async () => (await readBatch(ledger, batchId)).state === 'waiting'),
    inState: (batchId, rowKey, state) => until(async () => (await readRow(ledger, batchId, rowKey)).state === state),
    async making(briefs, settings) {
      const batchId = await product.submit(briefs, settings);
      await product.start(batchId);
      await scene.waiting(batchId);
      await product.approve(batchId);
      // On a real server the signal wakes the gate. The time-skipping one may hang when a waiting activity is cancelled
      // and started afresh, so there its time goes on until the gate looks by itself.
      if (options?.server === 'dev') await product.nudge(batchId);
      else await product.env.sleep('6 minutes');
      return batchId;
    },
    async states(batchId) {
      const rows = await listRows(ledger, batchId, { limit: 500 });
      return Object.fromEntries(rows.map(({ rowKey, state }) => [rowKey, state]));
    },
    async cancel(batchId, rowKeys) {
      await requestCancel(ledger, { batchId, rowKeys, actor: submitter, reason: 'a test', nowMs: product.nowMs() });
    },
  };
  return scene;
}

async function until(what: () => Promise<boolean>): Promise<void> {
  await vi.waitFor(async () => expect(await what()).toBe(true), { timeout: 30_000, interval: 20 });
}
