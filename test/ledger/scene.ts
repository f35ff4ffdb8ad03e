import type { CreateAnswer } from '../../domain/answers/create-answer.js';
import type { Brief } from '../../domain/brief.js';
import { contentDigest } from '../../domain/digests/content-digest.js';
import type { Actor } from '../../domain/roles.js';
import type { Service } from '../../domain/service.js';
import type { BatchSettings } from '../../ledger/batches/batch-record.js';
import { type BatchView, readBatch } from '../../ledger/batches/batches.js';
import { type RowView, readRow } from '../../ledger/batches/rows.js';
import { sliceBatch } from '../../ledger/batches/slices.js';
import type { Ledger } from '../../ledger/ledger.js';
import { setBudget } from '../../ledger/money/budgets.js';
import { type Admission, admitRow } from '../../ledger/orders/admission.js';
import { type AnswerRecorded, recordAnswer } from '../../ledger/orders/record-answer.js';
import { createBatch, type NewRow } from '../../ledger/plan/create-batch.js';
import { approveBatch } from '../../ledger/plan/decisions.js';
import { recordEstimates, rowsToEstimate } from '../../ledger/plan/estimates.js';
import { sealBatch } from '../../ledger/plan/seal.js';
import { recordDelivered } from '../../ledger/progress/deliveries.js';
import { type Poll, recordPolls } from '../../ledger/progress/polls.js';

export const studio: Service = { name: 'studio', baseUrl: 'embedded', rehearsal: true };

export const sam: Actor = { name: 'sam', roles: ['submitter'], channel: 'terminal' };
export const fay: Actor = { name: 'fay', roles: ['finance'], channel: 'terminal' };
export const oli: Actor = { name: 'oli', roles: ['operator'], channel: 'terminal' };
export const ada: Actor = { name: 'ada', roles: ['admin'], channel: 'terminal' };

export const price = 100;
const startMs = Date.UTC(2026, 10, 28, 12);

export function brief(rowKey: string, over: Partial<Brief> = {}): Brief {
  return {
    rowKey,
    prompt: `A runner at dawn, take ${rowKey}`,
    durationSeconds: 5,
    aspectRatio: '16:9',
    style: null,
    references: [],
    ...over,
  };
}

export function newRow(one: Brief, index = 0, market?: string): NewRow {
  const cells = [one.rowKey, one.prompt, ...(market === undefined ? [] : [market])];
  return { brief: one, contentDigest: contentDigest(one) ?? '', cells, row: index + 2 };
}

export async function* pages(
  briefs: readonly Brief[],
  pageSize = 1_000,
  markets: readonly string[] = [],
): AsyncGenerator<readonly NewRow[]> {
  for (let from = 0; from < briefs.length; from += pageSize) {
    yield briefs.slice(from, from + pageSize).map((one, index) => newRow(one, from + index, markets[from + index]));
  }
}

export const plainSettings: BatchSettings = {
  ...{ budgetPath: 'acme/spring', currency: null, tolerance: null, canary: null, maxInFlight: null },
  ...{ deadlineSeconds: null, include: [], respend: false, allowDuplicates: false, allowFree: false },
};

export interface Submission {
  readonly campaign?: string;
  readonly settings?: Partial<BatchSettings>;
  readonly service?: Service;
  readonly amountMinor?: number;
  readonly actor?: Actor;
  readonly manifest?: string;
  /** What the sheet has in its column `Market`, row by row; without it, it has no such column. */
  readonly markets?: readonly string[];
}

/** What people and workers do to a ledger, on a clock that a test moves. */
export interface Scene {
  readonly ledger: Ledger;
  nowMs: number;
  /** What things cost in. */
  currency: string;
  /** Sets the limit of a budget, in the money of the studio's rehearsals where no other service is named. */
  fund(path: string, limitMinor: number, service?: Pick<Service, 'rehearsal'>): Promise<void>;
  /** Submits, prices and seals. */
  seal(rows: readonly (string | Brief)[], submission?: Submission): Promise<string>;
  /** Submits, prices, seals, approves and cuts into slices. */
  make(rows: readonly (string | Brief)[], submission?: Submission): Promise<string>;
  price(batchId: string, amountMinor?: number): Promise<void>;
  admit(batchId: string, rowKey: string): Promise<Admission>;
  answer(batchId: string, rowKey: string, answer: CreateAnswer, attempt?: number): Promise<AnswerRecorded>;
  /** Admission and acceptance; answers with the movie's id. */
  order(batchId: string, rowKey: string): Promise<string>;
  /** One look that showed this status. */
  look(batchId: string, rowKey: string, status: string, over?: Partial<Poll>): Promise<void>;
  archive(batchId: string, rowKey: string): Promise<void>;
  /** From the order to the files. */
  deliver(batchId: string, rowKey: string): Promise<string>;
  batch(batchId: string): Promise<BatchView>;
  row(batchId: string, rowKey: string): Promise<RowView>;
}

let movies = 0;

/** An id that no test has seen. */
export function movieId(): string {
  movies += 1;
  return `movie_${process.pid}x${movies}`;
}

/** Whose time the ledger goes by: a database's own would not move as a test wants it. */
export function setTime(ledger: Ledger, clock: () => number): void {
  Object.assign(ledger, { clock, now: async () => clock() });
}

export function setTheScene(ledger: Ledger): Scene {
  const scene: Scene = {
    ledger,
    ...{ nowMs: startMs, currency: 'USD' },
    async fund(path, limitMinor, { rehearsal } = studio) {
      const { currency, nowMs } = scene;
      await setBudget(ledger, { path, rehearsal, limitMinor, currency, actor: fay, nowMs });
    },
    async seal(rows, submission = {}) {
      const { campaign = 'spring', settings = {}, service = studio, amountMinor, actor = sam, markets } = submission;
      const briefs = rows.map((row) => (typeof row === 'string' ? brief(row) : row));
      const { batchId } = await createBatch(ledger, {
        ...{ service, campaign, actor, nowMs: scene.nowMs, settings: { ...plainSettings, ...settings } },
        manifest: {
          name: submission.manifest ?? `${campaign}.csv`,
          columns: ['id', 'prompt', ...(markets ? ['Market'] : [])],
        },
        rows: () => pages(briefs, 1_000, markets),
      });
      await scene.price(batchId, amountMinor);
      await sealBatch(ledger, { batchId });
      return batchId;
    },
    async make(rows, submission) {
      const batchId = await scene.seal(rows, submission);
      await approveBatch(ledger, { batchId, actor: fay, nowMs: scene.nowMs });
      await sliceBatch(ledger, { batchId, sliceRows: 100 });
      return batchId;
    },
    async price(batchId, amountMinor = price) {
      for (let afterPosition: number | null = null; ;) {
        const rows = await rowsToEstimate(ledger, { batchId, afterPosition, limit: 1_000 });
        const last = rows.at(-1);
        if (!last) return;
        const estimates = rows.map(({ rowKey }) => ({ rowKey, ...estimateOf(amountMinor, scene.currency) }));
        await recordEstimates(ledger, { batchId, estimates });
        afterPosition = last.position;
      }
    },
    admit: (batchId, rowKey) => admitRow(ledger, { batchId, rowKey, service: studio }),
    async answer(batchId, rowKey, answer, attempt) {
      const row = await scene.row(batchId, rowKey);
      return recordAnswer(ledger, {
        ...{ batchId, rowKey, answer, followInMs: 1_000 },
        attempt: attempt ?? row.attempt ?? 0,
      });
    },
    async order(batchId, rowKey) {
      const admission = await scene.admit(batchId, rowKey);
      if (admission.kind !== 'send') throw new Error(`Cannot order ${rowKey}: ${JSON.stringify(admission)}`);
      const id = movieId();
      const { attempt, send } = admission;
      const answer = { kind: 'movie', movieId: id, echo: 'matches' } as const;
      await recordAnswer(ledger, { batchId, rowKey, attempt, send, answer, followInMs: 1_000 });
      return id;
    },
    async look(batchId, rowKey, status, over = {}) {
      const { movieId: id } = await scene.row(batchId, rowKey);
      const poll = {
        ...{ kind: 'answered', rowKey, movieId: id ?? '', status, percent: null, stage: null, error: null },
        ...{ cancelSent: false, followAtMs: scene.nowMs + 1_000 },
        ...over,
      } as Poll;
      await recordPolls(ledger, { batchId, polls: [poll] });
    },
    async archive(batchId, rowKey) {
      const file = { assetId: `asset_${rowKey}`, type: 'final_video', path: `${batchId}/${rowKey}/final.mp4` };
      const files = [{ ...file, sizeBytes: 1_000, sha256: 'ab'.repeat(32) }];
      await recordDelivered(ledger, { batchId, rowKey, files, verdict: 'as ordered', nowMs: scene.nowMs });
    },
    async deliver(batchId, rowKey) {
      const id = await scene.order(batchId, rowKey);
      await scene.look(batchId, rowKey, 'completed');
      await scene.archive(batchId, rowKey);
      return id;
    },
    batch: (batchId) => readBatch(ledger, batchId),
    row: (batchId, rowKey) => readRow(ledger, batchId, rowKey),
  };
  setTime(ledger, () => scene.nowMs);
  return scene;
}

export function estimateOf(amountMinor: number, currency = 'USD') {
  return { amountMinor, currency, credits: 3, runtimeSeconds: 30, assumptions: ['a failed movie is charged'] };
}
