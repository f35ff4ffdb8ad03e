import { formatDuration } from './duration-text.js';
import { printable } from './printable.js';
import { formatMoment } from './time-text.js';

/** Everything that can keep rows of a batch from going on. */
export const waitKinds = [
  ...['paused', 'tripped', 'canary', 'budget', 'credentials', 'restored'],
  ...['prices', 'approval', 'budget_short', 'temporal_away', 'other_archive', 'no_worker', 'trouble', 'disk_full'],
  ...['service', 'service_pause', 'in_flight', 'alarm', 'unknown', 'overdue', 'turn'],
] as const;
export type WaitKind = (typeof waitKinds)[number];

/** One reason why rows wait: the facts that every screen words alike. */
export interface WaitReason {
  readonly kind: WaitKind;
  /** How many rows, and what they are doing meanwhile; null: all that is left of the batch. */
  readonly rows: { readonly count: number; readonly state: string } | null;
  /** What is in the way, without its time and its way out. */
  readonly what: string;
  readonly sinceMs: number | null;
  /** When it ends by itself. */
  readonly untilMs: number | null;
  /** What ends it without a person, e.g. `continues as one finishes`. */
  readonly endsBy: string | null;
  /** Who can act, e.g. `dana or lee (finance)`; null: whoever reads this. */
  readonly who: string | null;
  /** What that person types. */
  readonly command: string | null;
}

/** A reason that nothing more is known of. */
export const nothingMore = {
  rows: null,
  sinceMs: null,
  untilMs: null,
  endsBy: null,
  who: null,
  command: null,
} as const;

/** One reason as a line: how many rows, what, since when, until when or by what, who can act, the command. */
export function reasonWords(reason: WaitReason, nowMs: number): string {
  const { rows } = reason;
  const subject = rows === null ? '' : `${rows.state} ${rows.count.toLocaleString('en-US')}: `;
  const way = wayOutWords(reason);
  return `${subject}${reasonFact(reason, nowMs)}${way === '' ? '' : `; ${way}`}`;
}

/** What is in the way, since and until when, and what ends it without a person. */
function reasonFact({ what, sinceMs, untilMs, endsBy }: WaitReason, nowMs: number): string {
  // Behind a message of several parts, "since" must not read as if it belonged to the last one.
  const comma = what.includes('; ') ? ',' : '';
  const since = sinceMs === null ? '' : `${comma} since ${formatMoment(sinceMs, nowMs)}`;
  const until = untilMs === null ? [] : [untilWords(untilMs, nowMs)];
  return [`${printable(what)}${since}`, ...until, ...(endsBy === null ? [] : [endsBy])].join(', ');
}

/** Who can end it, and by which command; empty where nobody need do anything. */
function wayOutWords({ who, command }: WaitReason): string {
  if (command === null) return who ?? '';
  return who === null ? `next: ${command}` : `${who}: ${command}`;
}

function untilWords(untilMs: number, nowMs: number): string {
  const left = untilMs - nowMs;
  return left > 60_000 ? `${formatDuration(left)} left` : `until ${formatMoment(untilMs, nowMs)}`;
}
