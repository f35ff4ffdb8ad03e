import { afterEach, beforeEach, expect, test } from 'vitest';
import type { NoticeChannel, NoticeMessage, Told } from '../../../home/notices/notice-channel.js';
import { openLedger } from '../../../ledger/ledger.js';
import { channelHealth } from '../../../ledger/notices/outbox.js';
import { rejectBatch } from '../../../ledger/plan/decisions.js';
import { sendNotices } from '../../../worker/notices/send-notices.js';
import { fay, type Scene, setTheScene } from '../../ledger/scene.js';

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

const pace = { lookMs: 2, leaseMs: 60_000, digestMs: 900_000, firstRetryMs: 5_000, lastRetryMs: 20_000 };

/** A channel whose other end answers as the test says, and takes everything after that. */
function channelThat(...answers: readonly Told[]) {
  const left = [...answers];
  const sent: NoticeMessage[] = [];
  let heard: () => void = () => {};
  const channel: NoticeChannel = {
    name: 'chat',
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

const later = (afterMs: number | null = null): Told => ({ kind: 'later', why: 'it answered 429', afterMs });

/** Begins, and waits until the channel is known: it tells what comes after that. */
async function begin(channel: NoticeChannel): Promise<void> {
  stop = sendNotices(
    { ledger: scene.ledger, channels: [channel], clock: () => scene.nowMs, deskUrl: 'https://desk.example' },
    pace,
  );
  await known(
    () => channelHealth(scene.ledger),
    (channels) => channels.length === 1,
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
