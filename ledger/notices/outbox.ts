import { sql } from 'kysely';
import type { Ledger, Tx } from '../ledger.js';
import { type NoticeKind, noteFound } from './note.js';

export interface Notice {
  readonly noticeNo: number;
  readonly atMs: number;
  readonly kind: NoticeKind;
  readonly object: string;
  readonly by: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Notices that are told together, on one channel. */
export interface Message {
  /** Of its first notice; the same at each try. */
  readonly messageNo: number;
  readonly notices: readonly Notice[];
}

export interface ChannelAt {
  readonly channel: string;
  readonly nowMs: number;
}

/** After a first notice of one kind on one thing, further ones of a while are told together. */
export interface OutboxPace {
  readonly leaseMs: number;
  readonly digestMs: number;
}

const keptMs = 30 * 24 * 60 * 60 * 1_000;
const mostInAMessage = 10_000;

/**
 * Gives the channel to this worker for a while and the next message to send on it; null while another one sends, while
 * it is waited for, and where there is none. A channel that is new begins with what happens from now on.
 */
export function nextMessage(
  ledger: Ledger,
  { channel, nowMs, leaseMs, digestMs }: ChannelAt & OutboxPace,
): Promise<Message | null> {
  return ledger.write(async (tx) => {
    await begin(tx, channel);
    const { numUpdatedRows } = await tx
      .updateTable('notice_channels')
      .set({ lease_ms: nowMs + leaseMs })
      .where('channel', '=', channel)
      .where('off_ms', 'is', null)
      .where('lease_ms', '<=', nowMs)
      .where('not_before_ms', '<=', nowMs)
      .executeTakeFirstOrThrow();
    if (Number(numUpdatedRows) === 0) return null;
    await take(tx, channel);
    const messageNo = (await unsentMessage(tx, channel)) ?? (await formMessage(tx, { channel, nowMs, digestMs }));
    if (messageNo !== null) return { messageNo, notices: await noticesOf(tx, { channel, messageNo }) };
    await giveBack(tx, channel);
    return null;
  });
}

async function begin(tx: Tx, channel: string): Promise<void> {
  const last = sql<number>`(select coalesce(max(notice_no), 0) from notices)`;
  await tx
    .insertInto('notice_channels')
    .values({ channel, after_no: last, failing_ms: null, error: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** What came since the channel last looked becomes its own to tell. */
async function take(tx: Tx, channel: string): Promise<void> {
  const { after_no } = await tx
    .selectFrom('notice_channels')
    .select('after_no')
    .where('channel', '=', channel)
    .executeTakeFirstOrThrow();
  const { last } = await tx
    .selectFrom('notices')
    .select(sql<number | null>`max(notice_no)`.as('last'))
    .executeTakeFirstOrThrow();
  if (last === null || last <= after_no) return;
  await tx
    .insertInto('notice_messages')
    .columns(['channel', 'notice_no', 'kind', 'object', 'message_no', 'sent_ms'])
    .expression(
      tx
        .selectFrom('notices')
        .select([sql.val(channel).as('channel'), 'notice_no', 'kind', 'object'])
        .select([
          sql<number | null>`cast(null as bigint)`.as('message_no'),
          sql<number | null>`cast(null as bigint)`.as('sent_ms'),
        ])
        .where('notice_no', '>', after_no)
        .where('notice_no', '<=', last),
    )
    .execute();
  await tx.updateTable('notice_channels').set({ after_no: last }).where('channel', '=', channel).execute();
}

/** One that was tried and not taken, as it was. */
async function unsentMessage(tx: Tx, channel: string): Promise<number | null> {
  const { message } = await tx
    .selectFrom('notice_messages')
    .select(sql<number | null>`min(message_no)`.as('message'))
    .where('channel', '=', channel)
    .where('sent_ms', 'is', null)
    .executeTakeFirstOrThrow();
  return message;
}

async function formMessage(
  tx: Tx,
  { channel, nowMs, digestMs }: ChannelAt & Pick<OutboxPace, 'digestMs'>,
): Promise<number | null> {
  const first = await tx
    .selectFrom('notice_messages as waiting')
    .select(['waiting.notice_no', 'waiting.kind', 'waiting.object'])
    .where('waiting.channel', '=', channel)
    .where('waiting.sent_ms', 'is', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('notice_messages as told')
            .select('told.notice_no')
            .where('told.channel', '=', channel)
            .whereRef('told.kind', '=', 'waiting.kind')
            .whereRef('told.object', '=', 'waiting.object')
            .where('told.sent_ms', '>', nowMs - digestMs),
        ),
      ),
    )
    .orderBy('waiting.notice_no')
    .limit(1)
    .executeTakeFirst();
  if (!first) return null;
  await tx
    .updateTable('notice_messages')
    .set({ message_no: first.notice_no })
    .where('channel', '=', channel)
    .where('sent_ms', 'is', null)
    .where('kind', '=', first.kind)
    .where('object', '=', first.object)
    .execute();
  return first.notice_no;
}

async function noticesOf(
  tx: Tx,
  { channel, messageNo }: { readonly channel: string; readonly messageNo: number },
): Promise<readonly Notice[]> {
  const found = await tx
    .selectFrom('notice_messages')
    .innerJoin('notices', 'notices.notice_no', 'notice_messages.notice_no')
    .selectAll('notices')
    .where('notice_messages.channel', '=', channel)
    .where('notice_messages.message_no', '=', messageNo)
    .where('notice_messages.sent_ms', 'is', null)
    .orderBy('notices.notice_no')
    .limit(mostInAMessage)
    .execute();
  return found.map((row) => ({
    ...{ noticeNo: row.notice_no, atMs: row.at_ms, kind: row.kind as NoticeKind, object: row.object, by: row.by_name },
    detail: JSON.parse(row.detail) as Record<string, unknown>, // written by noteAct and noteRows
  }));
}

/** The other end took it, or nobody needs to hear it any more. */
export function messageSent(
  ledger: Ledger,
  { channel, nowMs, messageNo }: ChannelAt & { readonly messageNo: number },
): Promise<void> {
  return ledger.write(async (tx) => {
    await tx
      .updateTable('notice_messages')
      .set({ sent_ms: nowMs })
      .where('channel', '=', channel)
      .where('message_no', '=', messageNo)
      .execute();
    await tx
      .updateTable('notice_channels')
      .set({ tries: 0, failing_ms: null, error: null, not_before_ms: 0 })
      .where('channel', '=', channel)
      .execute();
    await giveBack(tx, channel);
    await tx
      .deleteFrom('notice_messages')
      .where('sent_ms', '<', nowMs - keptMs)
      .execute();
    await tx
      .deleteFrom('notices')
      .where('at_ms', '<', nowMs - keptMs)
      .where(isTold)
      .execute();
  });
}

/** Nothing that a channel has still to tell is dropped. */
const isTold = sql<boolean>`not exists (select 1 from notice_messages where notice_messages.notice_no = notices.notice_no)
  and not exists (select 1 from notice_channels where notice_channels.after_no < notices.notice_no)`;

export interface FailedTry extends ChannelAt {
  readonly notBeforeMs: number;
  readonly error: string;
  /** It is off once it took nothing since then; null: it is tried without end. */
  readonly offIfSinceMs: number | null;
}

/** It is tried again from a time on, or is turned off; nothing is lost by that. */
export function messageFailed(
  ledger: Ledger,
  { channel, nowMs, notBeforeMs, error, offIfSinceMs }: FailedTry,
): Promise<void> {
  return ledger.write(async (tx) => {
    await tx
      .updateTable('notice_channels')
      .set((eb) => ({
        ...{ not_before_ms: notBeforeMs, error, lease_ms: 0 },
        ...{ tries: eb('tries', '+', 1), failing_ms: eb.fn.coalesce('failing_ms', eb.val(nowMs)) },
      }))
      .where('channel', '=', channel)
      .execute();
    if (offIfSinceMs === null) return;
    const { numUpdatedRows } = await tx
      .updateTable('notice_channels')
      .set({ off_ms: nowMs })
      .where('channel', '=', channel)
      .where('off_ms', 'is', null)
      .where('failing_ms', '<=', offIfSinceMs)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) await noteFound(tx, { kind: 'channel_off', object: channel, detail: { error }, nowMs });
  });
}

async function giveBack(tx: Tx, channel: string): Promise<void> {
  await tx.updateTable('notice_channels').set({ lease_ms: 0 }).where('channel', '=', channel).execute();
}

export interface ChannelHealth {
  readonly channel: string;
  readonly tries: number;
  /** Since when nothing was taken; null where it works. */
  readonly failingSinceMs: number | null;
  readonly error: string | null;
  /** Since when it is not tried any more; null while it is. */
  readonly offSinceMs: number | null;
  /** Notices that it has still to tell. */
  readonly waiting: number;
}

export async function channelHealth({ db }: Pick<Ledger, 'db'>): Promise<readonly ChannelHealth[]> {
  const channels = await db
    .selectFrom('notice_channels')
    .selectAll()
    .select((eb) => [
      eb
        .selectFrom('notice_messages')
        .select((one) => one.fn.countAll<number>().as('count'))
        .whereRef('notice_messages.channel', '=', 'notice_channels.channel')
        .where('sent_ms', 'is', null)
        .as('taken'),
      eb
        .selectFrom('notices')
        .select((one) => one.fn.countAll<number>().as('count'))
        .whereRef('notices.notice_no', '>', 'notice_channels.after_no')
        .as('fresh'),
    ])
    .orderBy('channel')
    .execute();
  return channels.map(({ channel, tries, failing_ms: failingSinceMs, error, off_ms: offSinceMs, taken, fresh }) => ({
    ...{ channel, tries, failingSinceMs, error, offSinceMs, waiting: Number(taken) + Number(fresh) },
  }));
}
