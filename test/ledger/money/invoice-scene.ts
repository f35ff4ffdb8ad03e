import type { Service } from '../../../domain/service.js';
import { setPolicy } from '../../../ledger/access/policies.js';
import type { InvoiceLine } from '../../../ledger/money/invoice-match.js';
import { type Invoice, reconcileInvoice } from '../../../ledger/money/invoices.js';
import { admitRow } from '../../../ledger/orders/admission.js';
import { recordAnswer } from '../../../ledger/orders/record-answer.js';
import { settleBatch } from '../../../ledger/progress/settle.js';
import { ada, fay, movieId, type Scene, studio } from '../scene.js';

/** By the ids of movies. */
export type Amounts = Readonly<Record<string, number>>;

export async function invoice(scene: Scene, amounts: Amounts, over: Partial<Invoice> = {}) {
  return (await reconcileInvoice(scene.ledger, { ...invoiceOf(scene, amounts), ...over })).match;
}

export function invoiceOf(scene: Scene, amounts: Amounts): Invoice {
  const lines = Object.entries(amounts).map(([movieId, amountMinor]) => lineOf({ movieId, amountMinor }));
  return { service: studio, name: '2026-11', lines, actor: fay, nowMs: scene.nowMs };
}

export function lineOf(over: Partial<InvoiceLine>): InvoiceLine {
  return {
    ...{
      movieId: null,
      idempotencyKey: null,
      amountMinor: 100,
      currency: 'USD',
      description: null,
      invoice: null,
      row: 2,
    },
    ...over,
  };
}

export async function delivered(scene: Scene, keys: readonly string[], campaign = 'spring') {
  const batchId = await scene.make(keys, { campaign });
  const movies: string[] = [];
  for (const rowKey of keys) movies.push(await scene.deliver(batchId, rowKey));
  await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs });
  const [a = '', b = '', c = ''] = movies;
  return { batchId, a, b, c };
}

export async function takeFailedAsRefunded(scene: Scene): Promise<void> {
  const change = { billing: { failed: 'refunded', canceled: 'charged' } } as const;
  await setPolicy(scene.ledger, { change, actor: ada, nowMs: scene.nowMs });
}

/** One movie that failed, under a policy that takes it for refunded. */
export async function failedAndRefunded(scene: Scene, campaign = 'spring') {
  await takeFailedAsRefunded(scene);
  const batchId = await scene.make(['a'], { campaign, settings: { allowDuplicates: true } });
  const movie = await scene.order(batchId, 'a');
  await scene.look(batchId, 'a', 'failed');
  return { batchId, movie };
}

/** A service that takes real money. */
export const real: Service = { name: 'movies', baseUrl: 'https://movies.example/v1', rehearsal: false };

/** One movie for real money; a level of it is defined at the path. */
export async function realMovie(scene: Scene, budgetPath: string): Promise<string> {
  const batchId = await scene.make(['real'], { campaign: 'real', service: real, settings: { budgetPath } });
  const admission = await admitRow(scene.ledger, { batchId, rowKey: 'real', service: real });
  if (admission.kind !== 'send') throw new Error('it was not admitted');
  const { attempt, send } = admission;
  const answer = { kind: 'movie', movieId: movieId(), echo: 'matches' } as const;
  await recordAnswer(scene.ledger, { batchId, rowKey: 'real', attempt, send, answer, followInMs: 1_000 });
  return answer.movieId;
}
