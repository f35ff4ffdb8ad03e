/** One of the workers of `contention.ts`: told its work it says `ready`, told `go` it does it and answers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DefaultQueryExecutor } from 'kysely';
import { type Ledger, openLedger } from '../../ledger/ledger.js';
import { type Admission, admitRow } from '../../ledger/orders/admission.js';
import { recordAnswer } from '../../ledger/orders/record-answer.js';
import { recordDelivered } from '../../ledger/progress/deliveries.js';
import { recordPolls } from '../../ledger/progress/polls.js';
import { acceptedAs, filesOf, lookAt, service } from './batch.js';

export interface ContentionWork {
  readonly url: string;
  readonly batchId: string;
  readonly rowKeys: readonly string[];
  /** Goes the same way before anything is measured: a worker is started once and then works for days. */
  readonly warmUpKeys: readonly string[];
  /** Admissions alone, or all that the books do for a movie. */
  readonly way: 'admission' | 'whole';
  /** Asks for an admission so often, however long they take; 0 asks for the next one when one is answered. */
  readonly everyMs: number;
}

export interface Contended {
  /** How long each admission, or each way, took. */
  readonly waitsMs: readonly number[];
  readonly cpuMs: number;
  /** Without the begin and the end of transactions. */
  readonly statements: number;
  readonly transactions: number;
}

type Send = Extract<Admission, { readonly kind: 'send' }>;

/** As many as a worker orders at once. */
const lanes = 32;
/** Rows of a slice that a follower sees end together. */
const lookedAtOnce = 20;

let statements = 0;
const { executeQuery } = DefaultQueryExecutor.prototype;
DefaultQueryExecutor.prototype.executeQuery = function (this: DefaultQueryExecutor, ...args) {
  statements += 1;
  return executeQuery.apply(this, args);
} as typeof executeQuery;

let told: { readonly ledger: Ledger; readonly work: ContentionWork } | undefined;

process.on('message', (message: ContentionWork | 'go') => void answer(message));

async function answer(message: ContentionWork | 'go'): Promise<void> {
  if (message !== 'go') {
    const ledger = await openLedger({ url: message.url, migrate: false });
    told = { ledger, work: message };
    await contended(ledger, { ...message, rowKeys: message.warmUpKeys, everyMs: 0 });
    process.send?.('ready');
    return;
  }
  if (!told) return;
  process.send?.(await contended(told.ledger, told.work));
  await told.ledger.close();
}

async function contended(opened: Ledger, { batchId, rowKeys, way, everyMs }: ContentionWork): Promise<Contended> {
  let transactions = 0;
  const ledger: Ledger = {
    ...opened,
    write: (work, options) =>
      opened.write((tx) => {
        transactions += 1;
        return work(tx);
      }, options),
  };
  const waitsMs: number[] = [];
  const timed = async (work: () => Promise<unknown>, startedAt = performance.now()) => {
    await work();
    waitsMs.push(performance.now() - startedAt);
  };
  const before = process.cpuUsage();
  statements = 0;
  const admitted = (rowKey: string, dueAt?: number) => timed(() => admit(ledger, batchId, rowKey), dueAt);
  if (way === 'admission' && everyMs > 0) await atTheirTime(rowKeys, { everyMs, work: admitted });
  else if (way === 'admission') await inLanes(rowKeys, (rowKey) => admitted(rowKey));
  else await wholeWay(ledger, { batchId, rowKeys, timed });
  const { user, system } = process.cpuUsage(before);
  return { waitsMs, cpuMs: (user + system) / 1_000, statements, transactions };
}

interface Way {
  readonly batchId: string;
  readonly rowKeys: readonly string[];
  readonly timed: (work: () => Promise<unknown>) => Promise<void>;
}

async function wholeWay(ledger: Ledger, { batchId, rowKeys, timed }: Way): Promise<void> {
  await inLanes(rowKeys, (rowKey) =>
    timed(async () => {
      const { attempt, send } = await admit(ledger, batchId, rowKey);
      await recordAnswer(ledger, { batchId, rowKey, attempt, send, followInMs: 0, answer: acceptedAs(rowKey) });
    }),
  );
  const pages = Array.from({ length: Math.ceil(rowKeys.length / lookedAtOnce) }, (_, page) =>
    rowKeys.slice(page * lookedAtOnce, (page + 1) * lookedAtOnce),
  );
  for (const page of pages) {
    await recordPolls(ledger, { batchId, polls: page.map((rowKey) => lookAt(rowKey, 'completed')) });
  }
  await inLanes(rowKeys, (rowKey) =>
    recordDelivered(ledger, { ...filesOf(batchId, rowKey), verdict: 'as ordered', nowMs: Date.now() }),
  );
}

async function admit(ledger: Ledger, batchId: string, rowKey: string): Promise<Send> {
  const admission = await admitRow(ledger, { batchId, rowKey, service });
  if (admission.kind === 'send') return admission;
  throw new Error(`Cannot bench admissions: ${rowKey} is ${admission.kind}`);
}

interface Paced {
  readonly everyMs: number;
  readonly work: (rowKey: string, dueAt: number) => Promise<unknown>;
}

/** A wait counts from the moment it was due: one that could not be asked for in time has waited, too. */
async function atTheirTime(rowKeys: readonly string[], { everyMs, work }: Paced): Promise<void> {
  const startedAt = performance.now();
  const asked: Promise<unknown>[] = [];
  for (const [index, rowKey] of rowKeys.entries()) {
    const dueAt = startedAt + index * everyMs;
    while (performance.now() < dueAt) await sleep(Math.max(1, dueAt - performance.now()));
    asked.push(work(rowKey, dueAt));
  }
  await Promise.all(asked);
}

async function inLanes(rowKeys: readonly string[], work: (rowKey: string) => Promise<unknown>): Promise<void> {
  const rest = rowKeys.values();
  const lane = async () => {
    for (const rowKey of rest) await work(rowKey);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
