import { formatAmount, formatMoney } from '../../domain/money.js';
import { formatDuration } from '../../reports/wording/duration-text.js';
import {
  batchStateWords,
  type CountName,
  type Counts,
  countNames,
  totalOf,
} from '../../reports/wording/state-words.js';
import { type TimeLeft, timeLeftWords } from '../../reports/wording/time-left.js';
import { formatTime } from '../../reports/wording/time-text.js';
import { cutEnd, cutStart, wrapWords } from '../terminal/text-width.js';
import { widthOf } from '../terminal/width-of.js';

/** What a batch is doing, as its counters say it: enough to draw, whatever the number of rows. */
export interface Progress {
  readonly batchId: string;
  /** The batch's state in words, or `paused`, `tripped`, … while a stop holds it. */
  readonly state: string;
  readonly rehearsal: boolean;
  /** Rows that this batch orders, by what people call their state; their sum is the batch. */
  readonly counts: Counts;
  readonly money: {
    readonly currency: string;
    readonly posted: number;
    readonly held: number;
    readonly approved: number;
  };
  /** Why rows do not go on, one reason a line, the one that stops most of it first. */
  readonly reasons: readonly string[];
  /** The newest thing that went wrong for good. */
  readonly last: string | null;
  readonly link: string | null;
  readonly elapsedMs: number;
  /** What is left by the pace of the movies that ended, and how many those are. */
  readonly left: TimeLeft | null;
}

export interface ViewOptions {
  readonly columns: number;
  /** Without a terminal's tricks: ASCII, nothing drawn. */
  readonly plain: boolean;
  /** Colours for a word by its meaning; the identity where colours are off. */
  readonly paint: Paint;
}

export type Paint = (tone: 'good' | 'busy' | 'bad' | 'quiet' | 'strong', text: string) => string;

/**
 * The live block. As the terminal gets narrow, first the bar goes, then the last failure, then reasons beyond the first;
 * under 60 columns each fact has its own line.
 */
export function progressLines(progress: Progress, options: ViewOptions): string[] {
  const { columns } = options;
  if (columns < 60) return narrowLines(progress, options);
  return [
    headLine(progress, options),
    ...(columns < 72 || options.plain ? [] : barLine(progress, options)),
    countsLine(progress, options),
    cutEnd(moneyLine(progress), columns),
    ...reasonLines(progress, options),
    ...(columns < 70 ? [] : lastLine(progress, columns)),
  ];
}

/** The name gives way first, down to its last 16 columns, then what the pace is measured by, then what is left. */
function headLine(progress: Progress, { columns, paint }: ViewOptions): string {
  const { batchId, state, elapsedMs, left } = progress;
  const elapsed = formatDuration(elapsedMs);
  const times = left
    ? [
        `${elapsed}, ${timeLeftWords(left)} left (${left.measured} measured)`,
        `${elapsed}, ${timeLeftWords(left)} left`,
        elapsed,
      ]
    : [elapsed];
  const room = (time: string) => columns - widthOf(`  ${state}  ${done(progress)} delivered  ${time}`);
  const enough = Math.min(widthOf(batchId), 16);
  const time = times.find((words) => room(words) >= enough) ?? elapsed;
  const name = cutStart(batchId, Math.max(1, room(time)));
  return `${paint('strong', name)}  ${paint(toneOf(progress), state)}  ${done(progress)} delivered  ${time}`;
}

function done({ counts }: Progress): string {
  return `${counts.delivered}/${totalOf(counts)}`;
}

/** `#` delivered, `=` being saved, `~` being made, `x` ended otherwise, `.` not begun. */
function barLine({ counts }: Progress, { columns, paint }: ViewOptions): string[] {
  const width = Math.min(60, columns - 2);
  const all = totalOf(counts);
  if (all === 0) return [];
  const parts = [
    { mark: '#', rows: counts.delivered, tone: 'good' },
    { mark: '=', rows: counts.saving, tone: 'good' },
    { mark: '~', rows: counts['in progress'] + counts.overdue, tone: 'busy' },
    { mark: 'x', rows: counts.failed + counts.rejected + counts.lost + counts.canceled + counts.unknown, tone: 'bad' },
  ] as const;
  let sofar = 0;
  let drawn = 0;
  let bar = '';
  for (const { mark, rows, tone } of parts) {
    sofar += rows;
    const until = Math.round((sofar / all) * width);
    bar += paint(tone, mark.repeat(until - drawn));
    drawn = until;
  }
  return [`[${bar}${paint('quiet', '.'.repeat(width - drawn))}]`];
}

function countsLine({ counts }: Progress, { columns, paint }: ViewOptions): string {
  const shown = countNames.filter((name) => counts[name] > 0);
  const text = shown.map((name) => `${name} ${counts[name]}`).join('  ');
  if (widthOf(text) > columns) return cutEnd(text, columns);
  return shown.map((name) => paint(toneOfCount(name), `${name} ${counts[name]}`)).join('  ');
}

function moneyLine({ money, rehearsal }: Progress): string {
  const { currency, posted, held, approved } = money;
  const amount = (amountMinor: number) => formatAmount({ amountMinor, currency });
  const parts = [`posted ${amount(posted)}`, ...(held > 0 ? [`held ${amount(held)}`] : [])];
  return `${parts.join('  ')}  approved ${amount(approved)} ${currency}${rehearsal ? ' (rehearsal)' : ''}`;
}

function lastLine({ last, link }: Progress, columns: number): string[] {
  const words = last === null ? null : `last: ${last}`;
  if (words === null) return link ? [cutStart(link, columns)] : [];
  if (link && widthOf(words) + link.length + 3 <= columns) return [`${words}   ${link}`];
  return [cutEnd(words, columns), ...(link ? [cutStart(link, columns)] : [])];
}

/** Never cut: what is to be typed stands at their end. Beyond a few they are counted. */
function reasonLines({ reasons }: Progress, { columns, paint }: Pick<ViewOptions, 'columns' | 'paint'>): string[] {
  const shown = reasons.slice(0, columns < 66 ? 2 : shownReasons);
  const more = reasons.length - shown.length;
  const all = more === 0 ? shown : [...shown, `and ${more} more: greenlight status`];
  return all.flatMap((reason) => wrapWords(reason, columns).map((line) => paint('bad', line)));
}

const shownReasons = 4;

function narrowLines(progress: Progress, { columns, paint }: ViewOptions): string[] {
  const { counts, money } = progress;
  const amount = (amountMinor: number) => formatMoney({ amountMinor, currency: money.currency });
  return [
    paint('strong', cutStart(progress.batchId, columns)),
    `${progress.state} ${done(progress)}`,
    formatDuration(progress.elapsedMs),
    ...countNames.filter((name) => counts[name] > 0).map((name) => `${name} ${counts[name]}`),
    `posted ${amount(money.posted)}`,
    `approved ${amount(money.approved)}`,
    ...reasonLines(progress, { columns, paint }),
  ];
}

/** For a pipe or a log: one line, never cut, every number by its name. */
export function progressRecord(progress: Progress, atMs: number): string {
  const { batchId, state, counts, money, reasons } = progress;
  const numbers = countNames.filter((name) => counts[name] > 0).map((name) => `${oneWord(name)}=${counts[name]}`);
  const amounts = [`posted=${plain(money.posted)}`, `held=${plain(money.held)}`, `currency=${money.currency}`];
  const why = reasons.length === 0 ? [] : [`(${reasons.join('; ')})`];
  return [formatTime(atMs), batchId, oneWord(state), ...numbers, ...amounts, ...why].join(' ');

  function plain(amountMinor: number): string {
    return formatAmount({ amountMinor, currency: money.currency }).replaceAll(',', '');
  }
}

/** Fields of a log are told apart by blanks. */
function oneWord(words: string): string {
  return words.replaceAll(' ', '_');
}

function toneOf({ state }: Progress): Parameters<Paint>[0] {
  return state === batchStateWords.making ? 'busy' : state === 'closed' ? 'good' : 'bad';
}

function toneOfCount(name: CountName): Parameters<Paint>[0] {
  if (name === 'delivered') return 'good';
  if (name === 'in progress' || name === 'saving') return 'busy';
  return name === 'waiting' ? 'quiet' : 'bad';
}
