import type { MovieApi } from '../../api/movie-api.js';
import type { ArchiveMarks } from '../../domain/ledger-mark.js';
import { LedgerError } from '../../ledger/ledger.js';
import { setBudget, startBudget, stopBudget } from '../../ledger/money/budgets.js';
import type { Resolution } from '../../ledger/orders/proposals.js';
import { createBatch } from '../../ledger/plan/create-batch.js';
import { cancel } from '../../operations/cancels.js';
import { approve, reject } from '../../operations/decisions.js';
import type { OperationDeps } from '../../operations/deps.js';
import { reconcileRestored } from '../../operations/restored.js';
import { refetch, retry } from '../../operations/retries.js';
import { goOn, pause, resume } from '../../operations/stops.js';
import { resolveUnknown } from '../../operations/unknowns.js';
import type { Books } from '../../studio/books.js';
import { fay, newRow, oli, plainSettings, sam, studio } from '../ledger/scene.js';
import type { Random } from './random.js';
import { briefOf, type Scenario } from './scenario.js';

const flo = { ...fay, name: 'flo' };
const path = 'acme';

export const acts = [
  ...[
    'submit',
    'edit and submit',
    'approve',
    'approve twice',
    'approve their own',
    'reject',
    'cancel a row',
    'cancel all',
    'pause',
    'resume',
  ],
  ...[
    'go on',
    'lower the limit',
    'raise the limit',
    'stop the budget',
    'start the budget',
    'retry',
    'refetch',
    'resolve',
  ],
] as const;
export type Act = (typeof acts)[number];

export interface OfficeDeps extends OperationDeps {
  readonly scenario: Scenario;
  readonly random: Random;
  readonly api: MovieApi;
  /** What the service's people would say. */
  readonly books: () => Books | null;
  /** Whether something that was sent may still arrive: nobody can say yet what became of it. */
  readonly onTheWire: () => boolean;
}

/** People at work: each act is the product's own operation. What they may not do now changes nothing. */
export class Office {
  readonly deps: OfficeDeps;
  #version = 0;

  constructor(deps: OfficeDeps) {
    this.deps = deps;
  }

  async do(act: Act): Promise<void> {
    try {
      await this.#do(act);
    } catch (error) {
      if (!(error instanceof Error) || (error instanceof LedgerError && error.code === 'corrupt_books')) throw error;
      if (error instanceof TypeError || error instanceof ReferenceError) throw error;
    }
  }

  async #do(act: Act): Promise<void> {
    const deps = this.deps;
    const { ledger, random, scenario } = deps;
    const nowMs = deps.clock();
    const batchId = await this.#someBatch();
    const by = { batchId, actor: oli } as const;
    const budget = { path, rehearsal: true, currency: 'USD', actor: fay, nowMs } as const;
    switch (act) {
      case 'submit':
        return this.submit();
      case 'edit and submit':
        this.#version += 1;
        return this.submit({ respend: random.chance(0.7), include: ['failed', 'canceled', 'lost'] });
      case 'approve':
        return void (await approve(deps, { batchId, actor: fay }));
      case 'approve twice':
        return void (await Promise.all([fay, flo].map((actor) => this.#try(() => approve(deps, { batchId, actor })))));
      case 'approve their own':
        return void (await approve(deps, { batchId, actor: { ...sam, roles: ['submitter', 'finance'] } }));
      case 'reject':
        return void (await reject(deps, { batchId, actor: fay, reason: 'no' }));
      case 'cancel a row':
        return void (await cancel(deps, { ...by, rowKeys: [random.pick(scenario.rows)], reason: 'no' }));
      case 'cancel all':
        return void (await cancel(deps, { ...by, rowKeys: 'all', reason: 'no' }));
      case 'pause':
        return void (await pause(deps, by));
      case 'resume':
        return void (await resume(deps, by));
      case 'go on':
        return void (await goOn(deps, by));
      case 'lower the limit':
        return void (await setBudget(ledger, { ...budget, limitMinor: random.between(0, 400) }));
      case 'raise the limit':
        return void (await setBudget(ledger, { ...budget, limitMinor: 100_000 }));
      case 'stop the budget':
        return void (await stopBudget(ledger, { path, actor: fay, nowMs }));
      case 'start the budget':
        return void (await startBudget(ledger, { path, actor: fay, nowMs }));
      case 'retry':
        return void (await retry(deps, { ...by, actor: sam, rowKeys: 'all' }));
      case 'refetch':
        return void (await refetch(deps, { ...by, rowKeys: 'all' }));
      case 'resolve':
        // Where the service knows no key, whoever has it sent again accepts that it may be billed twice.
        return this.resolveAll(scenario.mode === 'replay' && random.chance(0.3));
      default:
        return act satisfies never;
    }
  }

  async submit(settings: object = {}): Promise<void> {
    const { ledger, clock, scenario, workflows, random } = this.deps;
    const version = this.#version;
    const some = scenario.rows.filter((_, index) => index === 0 || random.chance(0.8));
    const rows = some.map((rowKey, index) => newRow(briefOf(rowKey, random.chance(0.5) ? version : 0), index));
    const { batchId } = await createBatch(ledger, {
      ...{ service: studio, campaign: 'spring', actor: sam, nowMs: clock() },
      settings: { ...plainSettings, ...scenario.settings, ...settings },
      manifest: { name: 'spring.csv', columns: ['id', 'prompt'] },
      async *rows() {
        yield rows;
      },
    });
    await workflows.startBatch(batchId);
  }

  /** What people do who look after everything, once a while. */
  async lookAfter(): Promise<void> {
    const deps = this.deps;
    const nowMs = deps.clock();
    const batches = await deps.ledger.db.selectFrom('batches').select(['batch_id', 'state', 'stops']).execute();
    if (batches.length === 0) await this.#try(() => this.submit());
    await this.#try(() => startBudget(deps.ledger, { path, actor: fay, nowMs }));
    for (const { batch_id: batchId, state, stops } of batches) {
      if (state === 'waiting') {
        await this.#try(() => approve(deps, { batchId, actor: flo }));
        const { state: now } = await this.#batch(batchId);
        if (now === 'waiting' && deps.random.chance(0.3)) {
          await this.#try(() => reject(deps, { batchId, actor: fay, reason: 'no money' }));
        }
      }
      if (stops.includes('paused') || stops.includes('credentials'))
        await this.#try(() => resume(deps, { batchId, actor: oli }));
      if (stops.includes('tripped') || stops.includes('canary'))
        await this.#try(() => goOn(deps, { batchId, actor: oli }));
    }
    await this.resolveAll(false);
  }

  /** Lets ordering go on; before that, whoever looks carefully cancels what archive and service show to be made. */
  async compare(archive: ArchiveMarks, made: readonly { readonly batchId: string; readonly rowKey: string }[]) {
    const careful = this.deps.random.chance(0.5);
    for (const { batchId, rowKey } of careful ? made : []) {
      await this.#try(() => cancel(this.deps, { batchId, rowKeys: [rowKey], actor: oli, reason: 'made before' }));
    }
    await reconcileRestored(this.deps, {
      archive,
      movies: [],
      actor: fay,
      reason: 'a copy; what was made since is left out',
    });
  }

  /** Two people say what became of rows of which nobody knows, after they asked the service. */
  async resolveAll(resend: boolean): Promise<void> {
    const { ledger, books, onTheWire } = this.deps;
    const rows = await ledger.db
      .selectFrom('rows')
      .leftJoin('orders', (join) =>
        join
          .onRef('orders.batch_id', '=', 'rows.batch_id')
          .onRef('orders.row_key', '=', 'rows.row_key')
          .onRef('orders.attempt', '=', 'rows.attempt'),
      )
      .select(['rows.batch_id', 'rows.row_key', 'rows.state', 'rows.movie_id', 'orders.idempotency_key'])
      .where('rows.state', 'in', ['unknown', 'overdue'])
      .execute();
    for (const row of rows) {
      const truth = books();
      if (truth === null || onTheWire()) return;
      const resolution = resend && row.state === 'unknown' ? ({ kind: 'resend' } as const) : whatBecameOf(row, truth);
      if (resolution) await this.#resolve(row, resolution);
    }
  }

  async #resolve(row: { readonly batch_id: string; readonly row_key: string }, resolution: Resolution): Promise<void> {
    const { api } = this.deps;
    const said = { batchId: row.batch_id, rowKey: row.row_key, resolution, movieApi: async () => api };
    for (const actor of [fay, flo]) await this.#try(() => resolveUnknown(this.deps, { ...said, actor }));
  }

  async #try(doing: () => Promise<unknown>): Promise<void> {
    await doing().catch((error: unknown) => {
      if (!(error instanceof Error) || (error instanceof LedgerError && error.code === 'corrupt_books')) throw error;
    });
  }

  /** Mostly one that something can be done about. */
  async #someBatch(): Promise<string> {
    const { ledger, random } = this.deps;
    const batches = await ledger.db.selectFrom('batches').select(['batch_id', 'state']).execute();
    const open = batches.filter(({ state }) => ['waiting', 'making'].includes(state));
    if (batches.length === 0) return 'none';
    return random.pick(open.length > 0 && random.chance(0.8) ? open : batches).batch_id;
  }

  #batch(batchId: string) {
    const { ledger } = this.deps;
    return ledger.db.selectFrom('batches').select('state').where('batch_id', '=', batchId).executeTakeFirstOrThrow();
  }
}

interface Unclear {
  readonly state: string;
  readonly movie_id: string | null;
  readonly idempotency_key: string | null;
}

/** Null where one has to wait. */
function whatBecameOf({ state, movie_id, idempotency_key }: Unclear, { creates, movies }: Books): Resolution | null {
  if (state === 'overdue') {
    const status = movies.find(({ movieId }) => movieId === movie_id)?.status ?? '';
    return ['completed', 'failed', 'canceled'].includes(status) ? null : { kind: 'lost', evidence: 'it hangs' };
  }
  const made = creates.find(({ idempotencyKey }) => idempotencyKey === idempotency_key);
  return made ? { kind: 'created', movieId: made.movieId } : { kind: 'not_created', evidence: 'asked' };
}
