import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { digestPlan } from '../domain/digests/plan-digest.js';
import { isSettled, isTerminal } from '../domain/row-state.js';
import { verifyAudit } from '../ledger/access/audit.js';
import type { Ledger } from '../ledger/ledger.js';
import { auditCounters } from '../ledger/verification/counter-check.js';
import type { Books } from '../studio/books.js';

/*
 * What must hold whatever happened, judged from three accounts that know nothing of each other: the service's own
 * books, the ledger's tables, and the files in the archive. What the product says of itself is not asked.
 *
 * O8, that the workflows replay, needs Temporal's histories and is judged at the end of every test that has a server.
 */

export interface OracleScene {
  readonly ledger: Ledger;
  readonly books: Pick<Books, 'creates' | 'movies'>;
  /** Holds a folder for each batch. */
  readonly archiveFolder: string;
}

/**
 * Every promise that is broken, each beginning with its number; none when all is well. At rest (no open batch) more
 * is promised: then the accounts must agree to the unit.
 */
export async function brokenPromises(scene: OracleScene): Promise<readonly string[]> {
  const facts = await gather(scene);
  const always = [
    ...oneMovieForAKey(facts),
    ...noCreateWithoutHoldAndApproval(facts),
    ...withinTheLimits(facts),
    ...holdsEndOnce(facts),
    ...nothingOrderedAfterAStop(facts),
    ...nothingSentAfterACancel(facts),
    ...approvedBySomebodyElse(facts),
    ...(await soundBooks(scene.ledger)),
  ];
  const open = facts.batches.some(({ state }) => ['preparing', 'waiting', 'making'].includes(state));
  if (open) return always;
  return [
    ...always,
    ...everyCreatePosted(facts),
    ...(await everyMovieKept(facts, scene.archiveFolder)),
    ...noHoldOnAnEndedRow(facts),
    ...rowsOutAreRowsIn(facts),
    ...unknownsAreListed(facts),
    ...sumsAgree(facts),
  ];
}

type Facts = Awaited<ReturnType<typeof gather>>;

async function gather({ ledger, books }: OracleScene) {
  const { db } = ledger;
  const [batches, rows, orders, entries, decisions, audit, sends, files, budgets, lineages, services] =
    await Promise.all([
      db.selectFrom('batches').selectAll().execute(),
      db.selectFrom('rows').selectAll().execute(),
      db.selectFrom('orders').selectAll().execute(),
      db.selectFrom('entries').selectAll().orderBy('entry_id').execute(),
      db.selectFrom('decisions').selectAll().execute(),
      db.selectFrom('audit').selectAll().orderBy('seq').execute(),
      db.selectFrom('sends').selectAll().orderBy('send_id').execute(),
      db.selectFrom('files').selectAll().execute(),
      db.selectFrom('budgets').selectAll().execute(),
      db.selectFrom('lineages').selectAll().execute(),
      db.selectFrom('services').selectAll().execute(),
    ]);
  return { books, batches, rows, orders, entries, decisions, audit, sends, files, budgets, lineages, services };
}

function orderOf({ orders }: Facts, key: string | null) {
  return orders.find(({ idempotency_key }) => idempotency_key === key);
}

function rowOf({ rows }: Facts, order: { readonly batch_id: string; readonly row_key: string }) {
  return rows.find(({ batch_id, row_key }) => batch_id === order.batch_id && row_key === order.row_key);
}

function repeated(values: readonly string[]): readonly string[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))];
}

function oneMovieForAKey(facts: Facts): readonly string[] {
  const { books, orders } = facts;
  const keys = books.creates.map(({ idempotencyKey }) => idempotencyKey ?? 'none');
  const wrongBytes = books.creates.filter(({ idempotencyKey, bodyDigest }) => {
    const body = orderOf(facts, idempotencyKey)?.request_body;
    return body !== undefined && createHash('sha256').update(body).digest('hex') !== bodyDigest;
  });
  return [
    ...repeated(keys).map((key) => `O1 ${key} made more than one movie`),
    ...repeated(orders.map(({ idempotency_key }) => idempotency_key)).map((key) => `O1 two orders share ${key}`),
    ...wrongBytes.map(({ movieId }) => `O1 ${movieId} was made from other bytes than were recorded`),
  ];
}

function noCreateWithoutHoldAndApproval(facts: Facts): readonly string[] {
  const { books, entries, decisions, audit, batches } = facts;
  const creates = books.creates.flatMap(({ movieId, idempotencyKey }) => {
    const order = orderOf(facts, idempotencyKey);
    if (!order) return [`O2 ${movieId} was made without an order`];
    const { batch_id, row_key, attempt } = order;
    const hold = entries.find(
      (entry) =>
        entry.kind === 'hold' &&
        entry.batch_id === batch_id &&
        entry.row_key === row_key &&
        entry.attempt === attempt &&
        entry.amount_minor === order.amount_minor,
    );
    const batch = batches.find((each) => each.batch_id === batch_id);
    const decision = decisions.find((each) => each.batch_id === batch_id && each.kind === 'approved');
    const approval = audit.find(({ act, object }) => act === 'approve' && object === batch_id);
    const row = rowOf(facts, order);
    const live = hold && approval && approval.after_entry < hold.entry_id;
    const planned = row?.ordered === 1 && row.content_digest === order.content_digest;
    if (live && planned && decision && decision.plan_digest === batch?.plan_digest) return [];
    return [`O2 ${movieId} of ${batch_id} ${row_key} has no hold under a live approval of its content`];
  });
  const plans = decisions.filter(({ kind }) => kind === 'approved').filter((each) => digestOf(facts, each) === false);
  return [...creates, ...plans.map(({ batch_id }) => `O2 the approval of ${batch_id} is not for its rows`)];
}

/** Whether the approved digest is that of the rows; the plan's own rule, over the rows as they are now. */
function digestOf(
  { batches, rows, lineages, services }: Facts,
  { batch_id, plan_digest, total_minor }: Facts['decisions'][number],
): boolean {
  const batch = batches.find((each) => each.batch_id === batch_id);
  const lineage = lineages.find(({ lineage_no }) => lineage_no === batch?.lineage_no);
  const service = services.find(({ service_no }) => service_no === batch?.service_no);
  if (!batch || !lineage || !service) return false;
  const plan = digestPlan({
    service: { name: service.name, baseUrl: service.base_url },
    campaign: lineage.campaign,
    currency: batch.currency,
    budgetPath: batch.budget_path,
    policyVersion: batch.policy_version ?? 0,
  });
  const own = rows.filter((row) => row.batch_id === batch_id);
  for (const row of own.sort((one, other) => (one.row_key < other.row_key ? -1 : 1))) {
    const amountMinor = row.ordered === 1 ? row.amount_minor : null;
    plan.add({ rowKey: row.row_key, class: row.class, contentDigest: row.content_digest, amountMinor });
  }
  const { planDigest, totalMinor } = plan.digest();
  return planDigest === plan_digest && totalMinor === total_minor;
}

function withinTheLimits({ budgets, batches, audit }: Facts): readonly string[] {
  const highest = (path: string, now: number) =>
    Math.max(
      now,
      ...audit
        .filter(({ act, object }) => act === 'budget_set' && object === path)
        .map(({ detail }) => Number((JSON.parse(detail) as { limit_minor: number }).limit_minor)),
    );
  const levels = budgets.filter(
    ({ path, limit_minor, spent_minor, committed_minor }) =>
      spent_minor + committed_minor > highest(path, limit_minor) || spent_minor < 0 || committed_minor < 0,
  );
  const plans = batches.filter(
    ({ held_minor, posted_minor, returned_minor, approved_minor }) =>
      held_minor < 0 || held_minor + posted_minor + returned_minor > approved_minor,
  );
  return [
    ...levels.map(({ path }) => `O3 budget ${path} has more spent and committed than it ever allowed`),
    ...plans.map(({ batch_id }) => `O3 ${batch_id} holds and spent more than was approved`),
  ];
}

function holdsEndOnce({ entries, orders }: Facts): readonly string[] {
  return orders.flatMap(({ batch_id, row_key, attempt, money }) => {
    const own = entries.filter(
      (entry) => entry.batch_id === batch_id && entry.row_key === row_key && entry.attempt === attempt,
    );
    const count = (kind: string) => own.filter((entry) => entry.kind === kind).length;
    const ends = count('post') + count('release');
    const sound = count('hold') === 1 && ends === (money === 'held' ? 0 : 1);
    return sound ? [] : [`O4 ${batch_id} ${row_key} attempt ${attempt}: ${count('hold')} holds, ${ends} ends`];
  });
}

const beginsStop: Readonly<Record<string, string>> = {
  pause: 'resume',
  credentials: 'resume',
  tripped: 'continue',
  canary: 'continue',
  budget_stop: 'budget_start',
  halt: 'reconcile_restored',
};

/**
 * By the ledger's own sequences, not by clocks: an admission is a hold, every send that may have left is counted, and
 * each decision says after which of them it came.
 */
function nothingOrderedAfterAStop(facts: Facts): readonly string[] {
  const { audit, entries } = facts;
  const sends = sendsThatLeft(facts);
  return audit.flatMap((stop) => {
    const end = beginsStop[stop.act];
    if (end === undefined) return [];
    // The end of a batch ends its own stops: what two people have sent again after it leaves.
    const ends = [end, 'unsettled', 'close'];
    const ended = audit.find(({ seq, act, object }) => seq > stop.seq && ends.includes(act) && object === stop.object);
    const under = new Set(stoppedBatches(facts, stop));
    const isLate = (number: number, after: 'after_entry' | 'after_send') =>
      number > stop[after] && number <= (ended?.[after] ?? Number.POSITIVE_INFINITY);
    const admitted = entries.filter(
      ({ kind, batch_id, entry_id }) => kind === 'hold' && under.has(batch_id) && isLate(entry_id, 'after_entry'),
    );
    // A canary keeps out the rows behind it; its own may repeat their sends.
    const sent = stop.act === 'canary' ? [] : sends.filter((send) => under.has(send.batch_id));
    return [
      ...admitted.map(({ batch_id, row_key }) => `O5 ${batch_id} ${row_key} was admitted after ${stop.act}`),
      ...sent
        .filter(({ send_id }) => isLate(send_id, 'after_send'))
        .map(({ batch_id, row_key }) => `O5 ${batch_id} ${row_key} was sent after ${stop.act}`),
    ];
  });
}

function stoppedBatches({ batches }: Facts, { act, object }: Facts['audit'][number]): readonly string[] {
  const isUnder = ({ batch_id, budget_path }: Facts['batches'][number]) => {
    if (act === 'halt') return true;
    return act === 'budget_stop' ? `${budget_path}/`.startsWith(`${object}/`) : batch_id === object;
  };
  return batches.filter(isUnder).map(({ batch_id }) => batch_id);
}

/** A send that was held back before its first byte is none. */
function sendsThatLeft({ sends }: Facts): Facts['sends'] {
  return sends.filter(({ answer }) => answer === null || (JSON.parse(answer) as { kind: string }).kind !== 'withheld');
}

function nothingSentAfterACancel(facts: Facts): readonly string[] {
  const sends = sendsThatLeft(facts);
  return facts.audit
    .filter(({ act }) => act === 'cancel')
    .flatMap(({ object, detail, after_send }) => {
      const { keys } = JSON.parse(detail) as { keys: 'all' | string[] };
      const meant = facts.rows.filter(
        ({ batch_id, row_key, cancel_ms }) =>
          batch_id === object && cancel_ms !== null && (keys === 'all' || keys.includes(row_key)),
      );
      const late = sends.filter(
        ({ send_id, batch_id, row_key }) =>
          batch_id === object && send_id > after_send && meant.some((row) => row.row_key === row_key),
      );
      return late.map(({ row_key }) => `O5 ${object} ${row_key} was sent after its cancel`);
    });
}

function approvedBySomebodyElse({ decisions, batches }: Facts): readonly string[] {
  return decisions
    .filter(({ kind, channel }) => kind === 'approved' && channel !== 'system')
    .filter(({ batch_id, by_name, self_approved }) => {
      const own = batches.find((batch) => batch.batch_id === batch_id)?.submitted_by === by_name;
      return own !== (self_approved === 1);
    })
    .map(({ batch_id, by_name }) => `O6 ${batch_id} was approved by ${by_name}, and not recorded as what that was`);
}

async function soundBooks(ledger: Ledger): Promise<readonly string[]> {
  const chain = await verifyAudit(ledger);
  const counters = await auditCounters(ledger);
  return [
    ...(chain.ok ? [] : [`O7 the audit chain breaks at ${chain.brokenAt}`]),
    ...counters.map((each) => `O3 ${each.of} counts ${each.counter} ${each.counted}, its entries ${each.byEntries}`),
  ];
}

function everyCreatePosted(facts: Facts): readonly string[] {
  const { books, entries, orders } = facts;
  const creates = books.creates.flatMap(({ movieId, idempotencyKey, amountMinor }) => {
    const order = orderOf(facts, idempotencyKey);
    if (!order) return []; // O2 has it
    if (order.money === 'held' && rowOf(facts, order)?.state === 'unknown') return [];
    const posts = entries.filter(
      ({ kind, batch_id, row_key, attempt }) =>
        kind === 'post' && batch_id === order.batch_id && row_key === order.row_key && attempt === order.attempt,
    );
    const exact = posts.length === 1 && posts[0]?.amount_minor === amountMinor && order.movie_id === movieId;
    return exact ? [] : [`O9 ${movieId} for ${amountMinor} is posted as ${posts.map((post) => post.amount_minor)}`];
  });
  const made = new Set(books.creates.map(({ movieId }) => movieId));
  const invented = orders.filter(({ money, movie_id }) => money === 'posted' && !made.has(movie_id ?? ''));
  return [
    ...creates,
    ...invented.map(({ row_key, movie_id }) => `O9 ${row_key} is posted for ${movie_id}, which was never made`),
  ];
}

async function everyMovieKept(facts: Facts, archiveFolder: string): Promise<readonly string[]> {
  const broken: string[] = [];
  for (const { movieId, status } of facts.books.movies) {
    const create = facts.books.creates.find((each) => each.movieId === movieId);
    const order = orderOf(facts, create?.idempotencyKey ?? null);
    const row = order && rowOf(facts, order);
    if (status !== 'completed' || !row || ['unknown', 'overdue'].includes(row.state)) continue;
    if (row.state === 'lost' && row.reason !== null) continue;
    const kept = facts.files.filter(({ batch_id, row_key }) => batch_id === row.batch_id && row_key === row.row_key);
    const hasFilm = kept.some(({ type }) => type === 'final_video');
    if (row.state !== 'delivered' || !hasFilm) broken.push(`O10 ${movieId} is finished, its row is ${row.state}`);
    for (const { path, sha256 } of kept) {
      const bytes = await readFile(join(archiveFolder, path)).catch(() => null);
      const actual = bytes && createHash('sha256').update(bytes).digest('hex');
      if (actual !== sha256) broken.push(`O10 ${path} has ${actual ?? 'no'} hash, the ledger says ${sha256}`);
    }
  }
  return broken;
}

function noHoldOnAnEndedRow(facts: Facts): readonly string[] {
  return facts.orders
    .filter((order) => {
      const row = rowOf(facts, order);
      return order.money === 'held' && (!row || row.attempt !== order.attempt || isTerminal(row.state));
    })
    .map(({ batch_id, row_key }) => `O11 ${batch_id} ${row_key} has ended and still holds money`);
}

function rowsOutAreRowsIn({ batches, rows }: Facts): readonly string[] {
  return batches.flatMap(({ batch_id, rows_in_sheet, state }) => {
    const own = rows.filter((row) => row.batch_id === batch_id);
    // What was never approved ordered nothing and settles nothing.
    const mustSettle = ['closed', 'canceled', 'unsettled'].includes(state);
    const left = mustSettle ? own.filter((row) => !isSettled(row.state)) : [];
    return [
      ...(own.length === rows_in_sheet ? [] : [`O12 ${batch_id} has ${own.length} rows of ${rows_in_sheet}`]),
      ...left.map((row) => `O12 ${batch_id} ${row.row_key} is ${row.state} in a batch that is ${state}`),
    ];
  });
}

function unknownsAreListed({ batches, rows, orders }: Facts): readonly string[] {
  return rows
    .filter(({ state }) => state === 'unknown')
    .filter(({ batch_id, row_key, attempt, reason }) => {
      const order = orders.find((each) => each.batch_id === batch_id && each.row_key === row_key);
      const unsettled = batches.find((batch) => batch.batch_id === batch_id)?.state === 'unsettled';
      return !(unsettled && reason !== null && order?.attempt === attempt && order?.money === 'held');
    })
    .map(({ batch_id, row_key }) => `O13 ${batch_id} ${row_key} is unknown, without its hold or a reason`);
}

function sumsAgree(facts: Facts): readonly string[] {
  const unknown = (key: string | null) => {
    const order = orderOf(facts, key);
    return order?.money === 'held' && rowOf(facts, order)?.state === 'unknown';
  };
  const billed = facts.books.creates.filter(({ idempotencyKey }) => !unknown(idempotencyKey));
  const there = billed.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  const here = facts.entries.filter(({ kind }) => kind === 'post').reduce((sum, each) => sum + each.amount_minor, 0);
  return there === here ? [] : [`O14 the service billed ${there}, the ledger posted ${here}`];
}
