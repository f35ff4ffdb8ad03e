import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Delivery, NoticeChannel, NoticeMessage } from '../../../home/notices/notice-channel.js';
import { sendNotices } from '../../../home/notices/send-notices.js';
import { addPerson } from '../../../ledger/access/people.js';
import { openLedger } from '../../../ledger/ledger.js';
import { channelHealth } from '../../../ledger/notices/outbox.js';
import { turnOnChannel } from '../../../ledger/notices/turn-on.js';
import { rejectBatch } from '../../../ledger/plan/decisions.js';
import { ada, fay, oli, type Scene, setTheScene } from '../../ledger/scene.js';
import { self } from '../../web/desk/desk.js';

let scene: Scene;
let stop: () => Promise<void> = async () => {};
beforeEach(async () => {
  scene = setTheScene(await openLedger({ url: 'sqlite::memory:' }));
  await scene.fund('acme', 100_000);
});
afterEach(async () => {
  await stop();
  await scene.ledger.close();
});

const hourMs = 60 * 60_000;
const pace = {
  ...{ lookMs: 2, remindMs: 2, leaseMs: 60_000, digestMs: 900_000 },
  ...{ firstRetryMs: 5_000, lastRetryMs: 20_000, offAfterMs: 24 * hourMs },
};

/** A channel whose other end answers as the test says, and takes everything after that. */
function channelThat(...answers: readonly Delivery[]) {
  const left = [...answers];
  const sent: NoticeMessage[] = [];
  let heard: () => void = () => {};
  const channel: NoticeChannel = {
    ...{ name: 'chat', isEndpoint: true },
    close: () => {},
    async send(message) {
      sent.push(message);
      heard();
      return left.shift() ?? { kind: 'taken' };
    },
  };
  return {
    channel,
    sent,
    /** Resolves once it was sent so many. */
    until: (count: number) =>
      new Promise<void>((resolve) => {
        heard = () => sent.length >= count && resolve();
        heard();
      }),
  };
}

const later = (afterMs: number | null = null): Delivery => ({ kind: 'later', why: 'it answered 429', afterMs });

/** Begins, and waits until the channel is known: it tells what comes after that. */
async function begin(...channels: readonly NoticeChannel[]): Promise<void> {
  stop = sendNotices(
    { ledger: scene.ledger, channels, clock: () => scene.nowMs, deskUrl: 'https://desk.example' },
    pace,
  );
  await known(
    () => channelHealth(scene.ledger),
    (health) => health.length === channels.length,
  );
}

async function known<T>(read: () => Promise<T>, isThere: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read();
    if (isThere(value)) return value;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('an approval is asked for with what it costs, and where to look; a link decides nothing', async () => {
  const { channel, sent, until } = channelThat();
  await begin(channel);
  await scene.seal(['a', 'b']);
  await until(1);
  expect(sent[0]).toMatchObject({
    kind: 'approval',
    about: 'spring-1',
    url: 'https://desk.example/batches/spring-1/plan',
  });
  expect(sent[0]?.subject).toMatch(/^Approve 2\.00 USD: spring-1, 2 rows, until /);
  expect(JSON.stringify(sent)).not.toContain('runner'); // no prompt
});

test('what is not taken is tried again after the time that is named, the same to the letter, and once more only', async () => {
  const { channel, sent, until } = channelThat(later(30_000), later());
  await begin(channel);
  await scene.seal(['a']);
  await until(1);
  const failing = () => channelHealth(scene.ledger);
  const [first] = await known(failing, ([one]) => one?.tries === 1);
  expect(first).toMatchObject({ error: 'it answered 429', failingSinceMs: scene.nowMs });
  scene.nowMs += 30_000;
  await until(2);
  await known(failing, ([one]) => one?.tries === 2);
  scene.nowMs += 10_000; // the second pause is twice the first
  await until(3);
  await known(failing, ([one]) => one?.failingSinceMs === null);
  expect(new Set(sent.map((message) => JSON.stringify(message))).size).toBe(1);
  expect(sent).toHaveLength(3);
});

test('what was asked for and is decided by then is not asked for any more', async () => {
  const { channel, sent, until } = channelThat(later());
  await begin(channel);
  const batchId = await scene.seal(['a']);
  await until(1);
  await rejectBatch(scene.ledger, { batchId, actor: fay, reason: 'too dear', nowMs: scene.nowMs });
  await known(
    () => channelHealth(scene.ledger),
    ([one]) => one?.tries === 1,
  );
  scene.nowMs += 5_000;
  await until(2);
  expect(sent.map(({ kind }) => kind)).toEqual(['approval', 'rejected']);
  expect(sent[1]).toMatchObject({ subject: 'Rejected by fay: spring-1', lines: ['too dear'] });
});

test('an endpoint that took nothing for a day is off: others hear of it, and turned on it gets what it missed', async () => {
  const dead = channelThat(...Array.from({ length: 3 }, () => later()));
  const mail = channelThat(...Array.from({ length: 3 }, () => later()));
  await begin(dead.channel, { ...mail.channel, name: 'mail', isEndpoint: false });
  await scene.seal(['a']);
  const tries = (name: string, count: number) =>
    known(
      () => channelHealth(scene.ledger),
      (channels) => channels.find(({ channel }) => channel === name)?.tries === count,
    );
  await Promise.all([tries('chat', 1), tries('mail', 1)]);
  scene.nowMs += 24 * hourMs - 1;
  await Promise.all([tries('chat', 2), tries('mail', 2)]);
  expect((await channelHealth(scene.ledger)).map(({ offSinceMs }) => offSinceMs)).toEqual([null, null]);
  scene.nowMs += hourMs;
  await Promise.all([tries('chat', 3), tries('mail', 3)]);
  const offSinceMs = scene.nowMs;
  scene.nowMs += hourMs;
  await mail.until(5);
  const [chat] = await channelHealth(scene.ledger);
  expect(chat).toMatchObject({ channel: 'chat', offSinceMs, error: 'it answered 429' });
  expect(mail.sent.at(-1)).toMatchObject({
    ...{ kind: 'channel_off', about: 'chat', roles: ['operator'] },
    lines: ['it answered 429', 'greenlight notices on chat'],
  });
  scene.nowMs += 48 * hourMs;
  await scene.seal(['b'], { campaign: 'winter' });
  await mail.until(6);
  expect(dead.sent).toHaveLength(3); // it is not tried any more
  await turnOnChannel(scene.ledger, { channel: 'chat', actor: oli, nowMs: scene.nowMs });
  await dead.until(5);
  expect(dead.sent.slice(3).map(({ kind, about }) => [kind, about])).toEqual([
    ['approval', 'spring-1'],
    ['approval', 'winter-1'],
  ]);
});

test('finance is reminded once of an approval a day before it expires', async () => {
  const { channel, sent, until } = channelThat();
  await begin(channel);
  await scene.seal(['a']);
  await until(1);
  const { expiresAtMs } = await scene.batch('spring-1');
  scene.nowMs = (expiresAtMs ?? 0) - 24 * hourMs;
  await until(2);
  scene.nowMs += hourMs;
  await scene.seal(['b'], { campaign: 'winter' });
  await until(3);
  expect(sent.map(({ kind, about }) => [kind, about])).toEqual([
    ['approval', 'spring-1'],
    ['approval_due', 'spring-1'],
    ['approval', 'winter-1'],
  ]);
  expect(sent[1]).toMatchObject({ roles: ['finance'], url: 'https://desk.example/batches/spring-1/plan' });
});

test('each is for the people of its role, and for who submitted it', async () => {
  const nowMs = scene.nowMs;
  await addPerson(scene.ledger, { name: 'ada', roles: ['admin'], actor: self, nowMs });
  for (const [name, role] of [
    ['dana@example.com', 'finance'],
    ['oli@example.com', 'operator'],
    ['sam@example.com', 'submitter'],
    ['sue@example.com', 'submitter'],
    ['fay', 'finance'],
  ] as const) {
    await addPerson(scene.ledger, { name, roles: [role], actor: ada, nowMs });
  }
  const { channel, sent, until } = channelThat();
  await begin(channel);
  const actor = { name: 'sam@example.com', roles: ['submitter'], channel: 'web' } as const;
  const batchId = await scene.seal(['a'], { actor });
  await until(1);
  await rejectBatch(scene.ledger, { batchId, actor: fay, reason: 'too dear', nowMs });
  await until(2);
  expect(sent.map(({ kind, to }) => [kind, to])).toEqual([
    ['approval', ['dana@example.com']],
    ['rejected', ['sam@example.com']],
  ]);
});
