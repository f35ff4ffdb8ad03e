import { type BatchState, batchStates, openBatchStates } from '../../domain/batch-state.js';
import type { Actor } from '../../domain/roles.js';
import type { RowState } from '../../domain/row-state.js';
import { type BatchStatus, listBatches, readBatch } from '../../operations/batches.js';
import { type WaitingDeps, whyWaiting } from '../../operations/why-waiting.js';
import { batchStateWords, rowStateWords, statesOfWord } from '../../reports/wording/state-words.js';
import type { WaitReason } from '../../reports/wording/wait-reason.js';
import { CliError, exitCodes } from '../terminal/exit-codes.js';
import type { BatchLine } from '../views/batch-view.js';

export interface StatusFlags {
  readonly rows?: true | undefined;
  /** Words for states: of rows where a batch is named, of batches in the list. */
  readonly state?: readonly string[] | undefined;
  readonly campaign?: string | undefined;
  readonly since?: number | undefined;
  readonly all?: true | undefined;
  readonly watch?: true | undefined;
  readonly json?: true | undefined;
}

export interface StatusQuery {
  readonly deps: WaitingDeps;
  readonly actor: Actor;
  readonly flags: StatusFlags;
}

/** Batches of the list where not all are asked for. */
const shownBatches = 20;
const pageSize = 200;

export interface FoundBatches {
  readonly lines: readonly BatchLine[];
  /** Older ones fit the filters too. */
  readonly hasMore: boolean;
}

/** The newest batches that fit the filters, each with why it does not go on. */
export async function findBatches(query: StatusQuery): Promise<FoundBatches> {
  const { deps, actor, flags } = query;
  const { campaign, since: sinceMs = Number.NEGATIVE_INFINITY, all } = flags;
  const limit = all ? Number.POSITIVE_INFINITY : shownBatches;
  const states = flags.state && batchStatesOf(flags.state);
  const filter = { actor, ...(campaign !== undefined && { campaign }), ...(states && { states }) };
  const found: BatchStatus[] = [];
  let before: { submittedAtMs: number; batchId: string } | undefined;
  while (found.length <= limit) {
    const take = Math.min(pageSize, limit + 1 - found.length);
    const page = await listBatches(deps, { ...filter, limit: take, ...(before && { before }) });
    const young = page.filter(({ batch }) => batch.submittedAtMs >= sinceMs);
    found.push(...young);
    const last = page.at(-1)?.batch;
    if (!last || page.length < take || young.length < page.length) break;
    before = { submittedAtMs: last.submittedAtMs, batchId: last.batchId };
  }
  const shown = found.slice(0, limit);
  return { lines: await withReasons(query, shown), hasMore: found.length > shown.length };
}

/** What Temporal knows of a batch costs a call each: asked for the newest few, for the others only of the workers. */
const askedAlone = 5;

async function withReasons({ deps, actor }: StatusQuery, found: readonly BatchStatus[]): Promise<BatchLine[]> {
  const open = found.filter(({ batch }) => (openBatchStates as readonly string[]).includes(batch.state));
  const alone = new Set(open.slice(0, askedAlone).map(({ batch }) => batch.batchId));
  let workers: ReturnType<WaitingDeps['seeWorkers']> | undefined;
  const seeWorkers: WaitingDeps['seeWorkers'] = (batchId) => {
    if (batchId !== null && alone.has(batchId)) return deps.seeWorkers(batchId);
    workers ??= deps.seeWorkers(null);
    return workers;
  };
  const lines: BatchLine[] = [];
  for (const status of found) {
    lines.push({ ...status, reasons: await whyWaiting({ ...deps, seeWorkers }, status, actor) });
  }
  return lines;
}

/** One batch with why it does not go on. */
export async function findBatch({ deps, actor }: StatusQuery, batchId: string): Promise<BatchLine> {
  const status = await readBatch(deps, { batchId, actor });
  const reasons: readonly WaitReason[] = await whyWaiting(deps, status, actor);
  return { ...status, reasons };
}

/** @throws InvalidArgumentError for a word that no state of a row has. */
export function rowStatesOf(words: readonly string[]): readonly RowState[] {
  return words.flatMap((word) => {
    const states = statesOfWord(word);
    if (states.length > 0) return states;
    throw unknownState(word, { of: 'rows', known: Object.values(rowStateWords) });
  });
}

function batchStatesOf(words: readonly string[]): readonly BatchState[] {
  return words.map((word) => {
    const said = word.toLowerCase();
    const state = batchStates.find((one) => one === said || batchStateWords[one] === said);
    if (state) return state;
    throw unknownState(word, { of: 'batches', known: Object.values(batchStateWords) });
  });
}

/** Commander says what it parsed itself; this is found out later, when it is known whether a batch was named. */
function unknownState(word: string, { of, known }: { of: 'rows' | 'batches'; known: readonly string[] }): CliError {
  const isOfRows = of === 'batches' && statesOfWord(word).length > 0;
  const hint = isOfRows ? `; of rows: greenlight status <batch> --state ${word}` : '';
  const message = `Cannot filter ${of} by state "${word}": use ${[...new Set(known)].join(', ')}${hint}`;
  return new CliError(message, exitCodes.usage);
}
