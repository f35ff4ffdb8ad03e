import { setTimeout as sleep } from 'node:timers/promises';
import type { Role } from '../../domain/roles.js';
import { listPeople } from '../../ledger/access/people.js';
import { isBatch } from '../../ledger/batches/batch-record.js';
import { readBatch } from '../../ledger/batches/batches.js';
import { countRows } from '../../ledger/batches/rows.js';
import type { Ledger } from '../../ledger/ledger.js';
import { type Message, messageFailed, messageSent, nextMessage } from '../../ledger/notices/outbox.js';
import { remindOfApprovals } from '../../ledger/notices/reminders.js';
import { noticeWords } from '../../reports/wording/notice-words.js';
import { addressOfPerson, audienceOf } from './audience.js';
import type { NoticeChannel, NoticeMessage } from './notice-channel.js';

export interface NoticeSender {
  readonly ledger: Ledger;
  readonly channels: readonly NoticeChannel[];
  readonly clock: () => number;
  /** The address at which people reach the desk; null if only this machine can. */
  readonly deskUrl: string | null;
}

export interface NoticePace {
  /** Between two polls of the outbox, and two messages on one channel. */
  readonly lookMs: number;
  /** Between two checks for reminders. */
  readonly remindMs: number;
  readonly leaseMs: number;
  readonly digestMs: number;
  readonly firstRetryMs: number;
  readonly lastRetryMs: number;
  /** An endpoint that has accepted nothing for this long is turned off. */
  readonly offAfterMs: number;
}

const usualPace: NoticePace = {
  ...{ lookMs: 1_500, remindMs: 60_000, leaseMs: 60_000, digestMs: 15 * 60_000 },
  ...{ firstRetryMs: 5_000, lastRetryMs: 60 * 60_000, offAfterMs: 24 * 60 * 60_000 },
};

/**
 * Sends what is in the outbox, on each channel in order. What is not accepted is retried at growing intervals: to a
 * mail server forever, to an endpoint for a day, after which it is off until somebody turns it on. Failures are recorded
 * for the channel only, so that a dead mail server causes no storm; that an endpoint is off is sent on the others.
 *
 * @returns a function that ends it, once what is under way has ended.
 */
export function sendNotices(sender: NoticeSender, pace = usualPace): () => Promise<void> {
  const stop = new AbortController();
  const { signal } = stop;
  const loops = sender.channels.map((channel) => keepSending(sender, { channel, pace, signal }));
  if (loops.length > 0) loops.push(keepReminding(sender, { pace, signal }));
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
    // An unavailable ledger is reported elsewhere; what is in the outbox stays there.
    await sendOne(sender, { channel, pace, tries }).catch(() => undefined);
    await sleep(pace.lookMs, undefined, { signal }).catch(() => undefined);
  }
}

async function keepReminding(
  { ledger, clock }: NoticeSender,
  { pace, signal }: Omit<Sending, 'channel'>,
): Promise<void> {
  while (!signal.aborted) {
    await remindOfApprovals(ledger, clock()).catch(() => undefined);
    await sleep(pace.remindMs, undefined, { signal }).catch(() => undefined);
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
  const worded = await wordsOf(sender, channel, message);
  const told = worded ? await channel.send(worded) : { kind: 'taken' as const };
  if (told.kind === 'taken') {
    tries.failed = 0;
    return messageSent(ledger, { ...at(), messageNo: message.messageNo });
  }
  const waitMs = Math.min(pace.firstRetryMs * 2 ** tries.failed, pace.lastRetryMs);
  tries.failed += 1;
  const notBeforeMs = clock() + Math.max(waitMs, told.afterMs ?? 0);
  const offIfSinceMs = channel.isEndpoint ? clock() - (told.isGone ? 0 : pace.offAfterMs) : null;
  return messageFailed(ledger, { ...at(), notBeforeMs, offIfSinceMs, error: told.why });
}

/** Null when it is about something that nobody waits for any more. */
async function wordsOf(
  { ledger, deskUrl }: NoticeSender,
  { name }: NoticeChannel,
  message: Message,
): Promise<NoticeMessage | null> {
  const [first] = message.notices;
  if (!first) return null;
  const { kind, object: about, atMs } = first;
  if (kind === 'channel_off' && about === name) return null; // it is on again, or would not receive this
  const isAboutBatch = await isBatch(ledger, about);
  const facts = isAboutBatch ? { batch: await readBatch(ledger, about), counts: await countRows(ledger, about) } : null;
  const words = noticeWords(message.notices, facts);
  if (!words) return null;
  const { subject, lines, path } = words;
  const id = `${ledger.id.slice(0, 8)}-${message.messageNo}`;
  const url = deskUrl === null ? null : `${deskUrl}${path}`;
  const { roles, submitter } = audienceOf(kind);
  const to = await addressesOf(ledger, { roles, submittedBy: submitter ? facts?.batch.submittedBy : undefined });
  return {
    ...{ id, kind, about, atMs, subject, lines, url, to },
    roles: [...roles, ...(submitter ? ['submitter'] : [])],
  };
}

interface Recipients {
  readonly roles: readonly Role[];
  readonly submittedBy: string | undefined;
}

/** The addresses of people registered under their mail address, ordered by name. */
async function addressesOf(ledger: Ledger, { roles, submittedBy }: Recipients): Promise<readonly string[]> {
  const people = await listPeople(ledger);
  const meant = people.filter((one) => one.name === submittedBy || one.roles.some((role) => roles.includes(role)));
  return meant.flatMap(({ name }) => addressOfPerson(name) ?? []);
}
