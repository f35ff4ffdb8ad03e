import { setTimeout as sleep } from 'node:timers/promises';
import type { NoticeChannel, NoticeMessage } from '../../home/notices/notice-channel.js';
import { isBatch } from '../../ledger/batches/batch-record.js';
import { readBatch } from '../../ledger/batches/batches.js';
import { countRows } from '../../ledger/batches/rows.js';
import type { Ledger } from '../../ledger/ledger.js';
import { type Message, messageFailed, messageSent, nextMessage } from '../../ledger/notices/outbox.js';
import { noticeWords } from '../../reports/wording/notice-words.js';

export interface NoticeSender {
  readonly ledger: Ledger;
  readonly channels: readonly NoticeChannel[];
  readonly clock: () => number;
  /** By which people reach the desk; null where only this machine does. */
  readonly deskUrl: string | null;
}

export interface NoticePace {
  /** Between two looks at the outbox, and two messages on one channel. */
  readonly lookMs: number;
  readonly leaseMs: number;
  readonly digestMs: number;
  readonly firstRetryMs: number;
  readonly lastRetryMs: number;
}

const usualPace: NoticePace = {
  ...{ lookMs: 1_500, leaseMs: 60_000, digestMs: 15 * 60_000 },
  ...{ firstRetryMs: 5_000, lastRetryMs: 60 * 60_000 },
};

/**
 * Tells what is in the outbox, on each channel in its order. What is not taken is tried again, later and later, without
 * end; what fails is said in the channel's own record and nowhere else, so that a dead mail server makes no storm.
 *
 * @returns what ends it, once what is under way has ended.
 */
export function sendNotices(sender: NoticeSender, pace = usualPace): () => Promise<void> {
  const stop = new AbortController();
  const loops = sender.channels.map((channel) => keepSending(sender, { channel, pace, signal: stop.signal }));
  return async () => {
    stop.abort();
    await Promise.all(loops);
    for (const channel of sender.channels) channel.close();
  };
}

interface Sending {
  readonly channel: NoticeChannel;
  readonly pace: NoticePace;
  readonly signal: AbortSignal;
}

async function keepSending(sender: NoticeSender, { channel, pace, signal }: Sending): Promise<void> {
  const tries = { failed: 0 };
  while (!signal.aborted) {
    // The ledger being away says so itself; what is in the outbox stays there.
    await sendOne(sender, { channel, pace, tries }).catch(() => undefined);
    await sleep(pace.lookMs, undefined, { signal }).catch(() => undefined);
  }
}

async function sendOne(
  sender: NoticeSender,
  { channel, pace, tries }: Pick<Sending, 'channel' | 'pace'> & { readonly tries: { failed: number } },
): Promise<void> {
  const { ledger, clock } = sender;
  const at = () => ({ channel: channel.name, nowMs: clock() });
  const message = await nextMessage(ledger, { ...at(), ...pace });
  if (!message) return;
  const worded = await wordsOf(sender, message);
  const told = worded ? await channel.send(worded) : { kind: 'taken' as const };
  if (told.kind === 'taken') {
    tries.failed = 0;
    return messageSent(ledger, { ...at(), messageNo: message.messageNo });
  }
  const waitMs = Math.min(pace.firstRetryMs * 2 ** tries.failed, pace.lastRetryMs);
  tries.failed += 1;
  const notBeforeMs = clock() + Math.max(waitMs, told.afterMs ?? 0);
  return messageFailed(ledger, { ...at(), notBeforeMs, error: told.why });
}

/** Null where it is about something that nobody waits for any more. */
async function wordsOf({ ledger, deskUrl }: NoticeSender, message: Message): Promise<NoticeMessage | null> {
  const [first] = message.notices;
  if (!first) return null;
  const isAboutBatch = await isBatch(ledger, first.object);
  const facts = isAboutBatch
    ? { batch: await readBatch(ledger, first.object), counts: await countRows(ledger, first.object) }
    : null;
  const words = noticeWords(message.notices, facts);
  if (!words) return null;
  const { subject, lines, path } = words;
  const id = `${ledger.id.slice(0, 8)}-${message.messageNo}`;
  const url = deskUrl === null ? null : `${deskUrl}${path}`;
  return { id, kind: first.kind, about: first.object, atMs: first.atMs, subject, lines, url };
}
