import { afterEach, beforeEach, expect, test } from 'vitest';
import { findBatch, findBatches } from '../../cli/flow/status-query.js';
import { waitForSeal } from '../../cli/flow/wait-for-seal.js';
import { watchBatch } from '../../cli/flow/watch-batch.js';
import { batchLines, batchTable } from '../../cli/views/batch-view.js';
import { rowStory } from '../../cli/views/row-story.js';
import { setPolicy } from '../../ledger/access/policies.js';
import { stopBudget } from '../../ledger/money/budgets.js';
import { createBatch } from '../../ledger/plan/create-batch.js';
import { recordArchiveAlarm } from '../../ledger/progress/deliveries.js';
import { recordPolls } from '../../ledger/progress/polls.js';
import { pauseBatch } from '../../ledger/stops/stops.js';
import { readRowHistory } from '../../operations/row-history.js';
import { waitingBatches } from '../../operations/waiting/waiting-batches.js';
import type { WaitingDeps, WorkersSeen } from '../../operations/why-waiting.js';
import { reasonWords, type WaitKind, waitKinds } from '../../reports/wording/wait-reason.js';
import { ada, brief, fay, oli, pages, plainSettings, sam, studio } from '../ledger/scene.js';
import { openPlace, type Place, Screen } from './terminal.js';

let place: Place;
beforeEach(async () => {
  place = await openPlace();
  await place.scene.fund('acme', 10_000);
});
afterEach(() => place.close());

const working: WorkersSeen = { temporal: 'there', workers: 1, trouble: null };

interface Situation {
  readonly kind: WaitKind;
  readonly words: RegExp;
  readonly seen?: WorkersSeen;
  /** Brings a batch into it, with a row `a` that waits for it. */
  arrange(): Promise<string>;
}

const away = { ...working, temporal: 'away', workers: 0 } as const;
const nobody = { ...working, workers: 0 };
const refused = 'prices could not be asked: no connection to https://films.test (ECONNREFUSED)';

const situations: readonly Situation[] = [
  { kind: 'prices', words: /^studio is being asked for prices since /, arrange: () => stored() },
  { kind: 'temporal_away', seen: away, words: /^Temporal does not answer; next: greenlight doctor$/, arrange: making },
  { kind: 'no_worker', seen: nobody, words: /^no worker is running; next: greenlight worker$/, arrange: making },
  {
    ...{
      kind: 'other_archive',
      seen: { ...nobody, otherArchive: "the archive here is s3://b, this ledger's is s3://a" },
    },
    words:
      /^the archive here is s3:\/\/b, this ledger's is s3:\/\/a, set GREENLIGHT_ARCHIVE_URL to that one; next: greenlight ledger use-archive --reason "…"$/,
    arrange: making,
  },
  {
    ...{ kind: 'service', seen: { ...working, trouble: refused, troubleSinceMs: Date.now() - 60_000 } },
    words: /^prices could not be asked: .* since \d\d:\d\d:\d\d, retried automatically; next: greenlight doctor$/,
    arrange: () => stored(),
  },
  {
    ...{ kind: 'disk_full', seen: { ...working, trouble: 'database or disk is full (SQLITE_FULL)' } },
    words: /SQLITE_FULL\), continues as soon as there is room; next: greenlight doctor$/,
    arrange: making,
  },
  {
    ...{
      kind: 'trouble',
      seen: { ...working, trouble: 'batch spring-1 belongs to films, this worker orders from studio' },
    },
    words: /this worker orders from studio, retried automatically; next: greenlight doctor$/,
    arrange: making,
  },
  {
    kind: 'approval',
    words: /^finance approval since .*, .* left; next: greenlight approve spring-1 --digest \w{12}$/,
    arrange: () => place.scene.seal(['a', 'b']),
  },
  {
    kind: 'budget_short',
    words: /^budget acme has 1\.50 USD, the plan needs 2\.00 USD; next: greenlight budget set acme <limit>$/,
    async arrange() {
      const batchId = await place.scene.seal(['a', 'b']);
      await place.scene.fund('acme', 150);
      return batchId;
    },
  },
  {
    kind: 'paused',
    words: /^waiting 2: paused by oli: wrong logo since .*; next: greenlight resume spring-1$/,
    async arrange() {
      const batchId = await making();
      await pauseBatch(place.ledger, { batchId, actor: oli, reason: 'wrong logo', nowMs: place.scene.nowMs });
      return batchId;
    },
  },
  {
    kind: 'budget',
    words: /^waiting 2: budget acme is stopped since .*; next: greenlight budget start acme$/,
    async arrange() {
      const batchId = await making();
      await stopBudget(place.ledger, { path: 'acme', actor: fay, nowMs: place.scene.nowMs });
      return batchId;
    },
  },
  {
    kind: 'canary',
    words: /^waiting 1: canary: the first row is ordered; review it.*; next: greenlight continue spring-1$/,
    async arrange() {
      const batchId = await place.scene.make(['first', 'a'], { settings: { canary: 1 } });
      await place.scene.deliver(batchId, 'first');
      await place.scene.admit(batchId, 'a');
      return batchId;
    },
  },
  {
    kind: 'tripped',
    words: /^waiting 1: tripped: .*; next: greenlight continue spring-1$/,
    async arrange() {
      const batchId = await place.scene.make(['first', 'a'], { settings: { tolerance: 0 } });
      await place.scene.order(batchId, 'first');
      await place.scene.look(batchId, 'first', 'failed', { error: { code: 'moderation', message: 'refused' } });
      return batchId;
    },
  },
  {
    kind: 'credentials',
    words: /^waiting 2: credentials: .*401.*; next: greenlight resume spring-1$/,
    async arrange() {
      const batchId = await making();
      await place.scene.admit(batchId, 'a');
      await place.scene.answer(batchId, 'a', { ...refusal, status: 401, code: 'unauthorized' });
      return batchId;
    },
  },
  {
    kind: 'restored',
    words: /^waiting 2: restored: the archive is ahead; next: greenlight reconcile restored$/,
    async arrange() {
      const batchId = await making();
      await place.ledger.db.updateTable('ledger').set({ halted: 'the archive is ahead' }).execute();
      return batchId;
    },
  },
  {
    kind: 'in_flight',
    words:
      /^waiting 1: in-flight limit of the service: 1 in progress \(spring-1 1\) since .*, continues as one finishes$/,
    async arrange() {
      await setPolicy(place.ledger, { change: { maxInFlight: 1 }, actor: ada, nowMs: place.scene.nowMs });
      const batchId = await place.scene.make(['first', 'a']);
      await place.scene.order(batchId, 'first');
      await place.scene.admit(batchId, 'a');
      return batchId;
    },
  },
  {
    kind: 'in_flight',
    words:
      /^waiting 1: in-flight limit of the batch: 1 in progress since .*, continues as one finishes; next: greenlight limits spring-1 --max-in-flight <movies>$/,
    async arrange() {
      const batchId = await place.scene.make(['first', 'a'], { settings: { maxInFlight: 1 } });
      await place.scene.order(batchId, 'first');
      await place.scene.admit(batchId, 'a');
      return batchId;
    },
  },
  {
    kind: 'service_pause',
    words: /^waiting 1: the service asked to wait, until \d\d:\d\d:\d\d$/,
    async arrange() {
      const batchId = await place.scene.make(['first', 'a']);
      await place.scene.admit(batchId, 'first');
      await place.scene.answer(batchId, 'first', { ...refusal, status: 429, code: 'slow_down', retryAfterMs: 30_000 });
      return batchId;
    },
  },
  {
    kind: 'service',
    words:
      /^ordering 1: the service cannot be reached since \d\d:\d\d:\d\d, retried automatically; next: greenlight doctor$/,
    async arrange() {
      const batchId = await place.scene.make(['a']);
      await place.scene.admit(batchId, 'a');
      await place.scene.answer(batchId, 'a', { kind: 'not_connected' });
      return batchId;
    },
  },
  {
    kind: 'service',
    words:
      /^in progress 1: the service answered 503 overloaded since \d\d:\d\d:\d\d, retried automatically; next: greenlight doctor$/,
    async arrange() {
      const batchId = await place.scene.make(['a']);
      await failedLooks(batchId, await place.scene.order(batchId, 'a'));
      return batchId;
    },
  },
  {
    kind: 'alarm',
    words:
      /^saving 1: Cannot download the file: it broke off 6 times since \d\d:\d\d:\d\d, retried automatically; next: greenlight show spring-1 a$/,
    async arrange() {
      const batchId = await place.scene.make(['a']);
      await place.scene.order(batchId, 'a');
      await place.scene.look(batchId, 'a', 'completed');
      for (const bytes of [10, 2_000]) {
        const message = `Cannot download the file: it broke off 6 times, at ${bytes} bytes`;
        await recordArchiveAlarm(place.ledger, { batchId, rowKey: 'a', message, nowMs: place.scene.nowMs });
      }
      return batchId;
    },
  },
  {
    kind: 'disk_full',
    words: /^saving 1: .*ENOSPC\) since \d\d:\d\d:\d\d, continues as soon as there is room; next: greenlight doctor$/,
    async arrange() {
      const batchId = await place.scene.make(['a']);
      await place.scene.order(batchId, 'a');
      await place.scene.look(batchId, 'a', 'completed');
      const message = 'Cannot write the download: the disk is full (ENOSPC)';
      await recordArchiveAlarm(place.ledger, { batchId, rowKey: 'a', message, nowMs: place.scene.nowMs });
      return batchId;
    },
  },
  {
    kind: 'alarm',
    words: /^in progress 1: .*unheard-of.* since \d\d:\d\d:\d\d; next: greenlight show spring-1 a$/,
    async arrange() {
      const batchId = await place.scene.make(['a']);
      await place.scene.order(batchId, 'a');
      await place.scene.look(batchId, 'a', 'unheard-of');
      return batchId;
    },
  },
  {
    kind: 'unknown',
    words: /^unknown 1: nobody knows whether their movies exist.*; next: greenlight unknown list spring-1$/,
    async arrange() {
      const batchId = await place.scene.make(['a', 'b']);
      await place.scene.admit(batchId, 'a');
      await place.scene.answer(batchId, 'a', { kind: 'broken' });
      return batchId;
    },
  },
  {
    kind: 'overdue',
    words:
      /^overdue 1: not finished by its deadline since \d\d:\d\d:\d\d, still asked about; next: greenlight unknown resolve spring-1 a --lost/,
    async arrange() {
      const batchId = await place.scene.make(['a', 'b']);
      await place.scene.order(batchId, 'a');
      const deadline = { deadline_ms: place.scene.nowMs - 1_000 };
      await place.ledger.db.updateTable('rows').set(deadline).where('row_key', '=', 'a').execute();
      await place.scene.look(batchId, 'a', 'rendering');
      return batchId;
    },
  },
  { kind: 'turn', words: /^waiting 2: queued, ordered in turn$/, arrange: making },
];

test.each(situations)(
  '$kind is worded alike by status, submit, doctor and show: $words',
  async ({ arrange, ...one }) => {
    const batchId = await arrange();
    const seen = one.seen ?? working;
    const deps: WaitingDeps = { ledger: place.ledger, clock: Date.now, seeWorkers: async () => seen };
    const query = { deps, actor: fay, flags: {} };
    const nowMs = Date.now();
    const options = { nowMs, columns: Number.POSITIVE_INFINITY };

    const status = await findBatch(query, batchId);
    const reason = status.reasons.find(({ kind }) => kind === one.kind);
    expect(status.reasons.map(({ kind }) => kind)).toContain(one.kind);
    const detail = batchLines(status, options).find((line) => one.words.test(line.replace(/^ *(?:waits for +)?/, '')));
    const words = detail?.replace(/^ *(?:waits for +)?/, '') ?? '';
    expect(words, batchLines(status, options).join('\n')).toMatch(one.words);

    expect(batchTable((await findBatches(query)).lines, options).join('\n')).toContain(words);
    const story = rowStory(await readRowHistory(deps, { batchId, rowKey: 'a', actor: fay }), {
      ...options,
      placeOfFile,
    });
    expect(story.join('\n')).toContain(words);
    if (reason?.kind !== 'turn') expect(await saidWhileWaiting(deps, batchId)).toContain(words);
    expect(await saidByDoctor(deps.seeWorkers)).toContain(words);
  },
);

test('every reason is in this table', () => {
  expect([...new Set(situations.map(({ kind }) => kind))].toSorted()).toEqual([...waitKinds].toSorted());
});

const refusal = { kind: 'refused', message: 'no', code: null, retryAfterMs: null } as const;
const placeOfFile = (path: string) => path;

/** Two looks, a minute between them; each of its requests has a name of its own. */
async function failedLooks(batchId: string, movieId: string): Promise<void> {
  for (const request of ['req_1', 'req_2']) {
    const alarm = `the service answered 503 overloaded (request ${request})`;
    const poll = { kind: 'unanswered', rowKey: 'a', movieId, alarm, followAtMs: place.scene.nowMs } as const;
    await recordPolls(place.ledger, { batchId, polls: [poll] });
    place.scene.nowMs += 60_000;
  }
}

function making(): Promise<string> {
  return place.scene.make(['a', 'b']);
}

async function stored(): Promise<string> {
  const { batchId } = await createBatch(place.ledger, {
    ...{ service: studio, campaign: 'spring', actor: sam, nowMs: place.scene.nowMs, settings: plainSettings },
    manifest: { name: 'spring.csv', columns: ['id', 'prompt'] },
    rows: () => pages([brief('a'), brief('b')]),
  });
  return batchId;
}

/** What `submit --wait` and `run` say meanwhile. */
async function saidWhileWaiting(deps: WaitingDeps, batchId: string): Promise<string> {
  const leave = new AbortController();
  const screen = new Screen(false, 80);
  const context = { ...place.context({}), stdout: screen, stderr: screen };
  const look = { batchId, actor: fay };
  const { state } = await place.scene.batch(batchId);
  if (state === 'preparing') {
    let nowMs = Date.now();
    const clock = () => (nowMs += 6_000);
    screen.onText = (text) => text.includes('No price') && leave.abort(new Error('seen enough'));
    await waitForSeal(context, { deps: { ...deps, clock }, look, mode: 'plain', signal: leave.signal }).catch(
      () => null,
    );
  } else {
    screen.onText = () => leave.abort(new Error('seen enough'));
    await watchBatch(context, { deps, look, mode: 'plain', signal: leave.signal, link: null }).catch(() => null);
  }
  return screen.text;
}

async function saidByDoctor(seeWorkers: WaitingDeps['seeWorkers']): Promise<string> {
  const at = { token: undefined, loginName: 'fay', seeWorkers };
  const found = await waitingBatches(`sqlite:${place.folder}/home/ledger.db`, at);
  return found.flatMap(({ reasons }) => reasons.map((reason) => reasonWords(reason, Date.now()))).join('\n');
}
