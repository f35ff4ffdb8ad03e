import { formatAmount, formatMoney } from '../../domain/money.js';
import type { AttemptRecord, SendRecord } from '../../ledger/orders/order-history.js';
import type { RowHistory } from '../../operations/row-history.js';
import { answerWords } from '../../reports/wording/answer-words.js';
import { actSentence } from '../../reports/wording/audit-words.js';
import { classWords } from '../../reports/wording/class-words.js';
import { nextOfRow } from '../../reports/wording/next-steps.js';
import { printable } from '../../reports/wording/printable.js';
import { rowNote, rowProgress } from '../../reports/wording/row-words.js';
import { rowStateWords } from '../../reports/wording/state-words.js';
import { formatMoment } from '../../reports/wording/time-text.js';
import { reasonWords } from '../../reports/wording/wait-reason.js';
import { fitTable } from '../terminal/fit-table.js';

export interface StoryOptions {
  readonly nowMs: number;
  readonly columns: number;
  /** Where a file of the archive is, as the person would type it. */
  readonly placeOfFile: (path: string) => string;
}

type Fact = readonly [string, string];

/** The whole story of a row: what was asked, what became of it, what it cost, and what can be done. */
export function rowStory(history: RowHistory, options: StoryOptions): string[] {
  const { row, status, reasons } = history;
  const facts: Fact[] = [
    ['state', [rowStateWords[row.state], rowProgress(row), rowNote(row)].filter((word) => word !== '').join('  ')],
    ...reasons.map((reason): Fact => ['waits for', reasonWords(reason, options.nowMs)]),
    ...briefFacts(history),
    ...planFacts(history),
    ...history.attempts.flatMap((attempt) => attemptFacts(attempt, history, options.nowMs)),
    ...lookFacts(history, options.nowMs),
    ...fileFacts(history, options),
    ...moneyFacts(history, options.nowMs),
    ...auditFacts(history, options.nowMs),
    ['next', nextOfRow(status.batch, row)],
  ];
  return [
    `${status.batch.batchId} ${row.rowKey}`,
    ...fitTable(withoutRepeats(facts), { columns: options.columns, indent: '  ' }),
  ];
}

/** A name stands at the first of its lines. */
function withoutRepeats(facts: readonly Fact[]): Fact[] {
  return facts.map(([name, words], index) => [facts[index - 1]?.[0] === name ? '' : name, words]);
}

function briefFacts({ row, status }: RowHistory): Fact[] {
  const { prompt, durationSeconds, aspectRatio, style, references } = row.brief;
  const asked = [
    `${durationSeconds} s`,
    ...(aspectRatio === null ? [] : [aspectRatio]),
    ...(style === null ? [] : [`style ${printable(style)}`]),
    ...(references.length === 0 ? [] : [references.length === 1 ? '1 reference' : `${references.length} references`]),
  ];
  const { manifestName, columns } = status.batch;
  const cells = row.cells
    .map((cell, index) => [columns[index] ?? '', cell] as const)
    .filter(([name, cell]) => cell !== '' && name.toLowerCase() !== 'prompt')
    .map(([name, cell]) => `${printable(name)}=${printable(cell)}`);
  return [
    ['sheet', `${printable(manifestName)} row ${row.row}: ${cells.join('  ')}`],
    ['prompt', printable(prompt)],
    ['asked', asked.join('  ')],
  ];
}

function planFacts({ row, status }: RowHistory): Fact[] {
  const { currency } = status.batch.money;
  const price = row.amountMinor === null ? 'no price yet' : formatMoney({ amountMinor: row.amountMinor, currency });
  const earlier =
    row.classDetail === null ? '' : ` (${row.classDetail.rowKey ?? row.rowKey} in ${row.classDetail.batchId})`;
  const problem = row.estimateProblem === null ? '' : `; ${printable(row.estimateProblem)}`;
  const ordered = row.ordered ? '' : ', not ordered here';
  return [['plan', `${classWords[row.class]}${earlier}${ordered}, ${price}${problem}`]];
}

function attemptFacts(attempt: AttemptRecord, { status }: RowHistory, nowMs: number): Fact[] {
  const { batchId, money } = status.batch;
  const price = formatMoney({ amountMinor: attempt.amountMinor, currency: money.currency });
  const where = attempt.batchId === batchId ? '' : ` in ${attempt.batchId}`;
  const movie = attempt.movieId === null ? '' : `, movie ${attempt.movieId}`;
  const name = `attempt ${attempt.attempt}`;
  return [
    [name, `${price} ${attempt.money}${where}${movie}, key ${attempt.idempotencyKey.slice(0, 12)}…`],
    ...(attempt.archived ? [[name, `sent; its answers are archived with ${attempt.batchId}`] as const] : []),
    ...attempt.sends.map((send): Fact => [name, sendWords(send, nowMs)]),
  ];
}

function sendWords({ atMs, answeredMs, answer, requestId }: SendRecord, nowMs: number): string {
  const sent = `sent ${formatMoment(atMs, nowMs)}`;
  const request = requestId === null ? '' : ` (request ${printable(requestId)})`;
  if (answer === null) return `${sent}: no answer known yet`;
  const words = answerWords(answer);
  return `${sent}, ${formatMoment(answeredMs ?? atMs, nowMs)}: ${words}${words.includes(String(requestId)) ? '' : request}`;
}

/** Looks at the service, folded into one line. */
function lookFacts({ row }: RowHistory, nowMs: number): Fact[] {
  const { polls, serviceStatus, nextLookAtMs, deadlineAtMs, finishedAtMs } = row;
  if (polls === 0 && serviceStatus === null) return [];
  const looks = polls === 1 ? 'polled once' : `polled ${polls} times`;
  const parts = [
    ...(serviceStatus === null ? [] : [printable(serviceStatus)]),
    looks,
    ...(row.state === 'running' && nextLookAtMs !== null ? [`next about ${formatMoment(nextLookAtMs, nowMs)}`] : []),
    ...(row.state === 'running' && deadlineAtMs !== null ? [`deadline ${formatMoment(deadlineAtMs, nowMs)}`] : []),
    ...(finishedAtMs === null ? [] : [`finished ${formatMoment(finishedAtMs, nowMs)}`]),
  ];
  return [['service', parts.join(', ')]];
}

function fileFacts({ row }: RowHistory, { placeOfFile }: StoryOptions): Fact[] {
  return row.files.map(({ path, sizeBytes, sha256 }) => [
    'files',
    `${placeOfFile(path)}  ${sizeText(sizeBytes)}  sha256 ${sha256.slice(0, 12)}…`,
  ]);
}

function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function moneyFacts({ entries }: RowHistory, nowMs: number): Fact[] {
  return entries.map(({ atMs, kind, amountMinor, currency, note }) => [
    'money',
    `${formatMoment(atMs, nowMs)}  ${kind} ${formatAmount({ amountMinor, currency })} ${currency}${note === null ? '' : `  ${printable(note)}`}`,
  ]);
}

function auditFacts({ audit }: RowHistory, nowMs: number): Fact[] {
  return audit.map((record) => ['audit', `${formatMoment(record.atMs, nowMs)}  ${actSentence(record)}`]);
}
