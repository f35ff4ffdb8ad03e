import type { ChannelHealth } from '../../ledger/notices/outbox.js';
import { formatTime } from '../../reports/wording/time-text.js';

/** Since when a channel of notices takes nothing; what it was to tell waits. @throws Error that says so. */
export function diagnoseNotices(channels: readonly ChannelHealth[]): string {
  const off = channels.flatMap(({ channel, offSinceMs, error }) =>
    offSinceMs === null
      ? []
      : [`${channel} since ${formatTime(offSinceMs)}: ${error ?? ''}; greenlight notices on ${channel}`],
  );
  if (off.length > 0) throw new Error(`Turned off after a day without an answer: ${off.join('; ')}`);
  const failing = channels.flatMap(({ channel, failingSinceMs, error, tries }) =>
    failingSinceMs === null ? [] : [`${channel} since ${formatTime(failingSinceMs)}, ${tries} tries: ${error ?? ''}`],
  );
  if (failing.length > 0) throw new Error(`Cannot tell by ${failing.join('; ')}; nothing is lost, it is tried again`);
  return channels.length === 0 ? 'none sent so far' : `sent by ${channels.map(({ channel }) => channel).join(', ')}`;
}
