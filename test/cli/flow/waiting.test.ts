import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { waitForSeal } from '../../../cli/flow/wait-for-seal.js';
import { watchBatch } from '../../../cli/flow/watch-batch.js';
import type { CliContext } from '../../../cli/terminal/context.js';
import { createBatch } from '../../../ledger/plan/create-batch.js';
import { sealBatch } from '../../../ledger/plan/seal.js';
import { recordArchiveAlarm } from '../../../ledger/progress/deliveries.js';
import { settleBatch } from '../../../ledger/progress/settle.js';
import { pauseBatch } from '../../../ledger/stops/stops.js';
import type { WorkersSeen } from '../../../operations/why-waiting.js';
import { brief, fay, oli, pages, plainSettings, sam, studio } from '../../ledger/scene.js';
import { openPlace, type Place, Screen } from '../terminal.js';

let place: Place;
let screen: Screen;
let context: CliContext;
beforeEach(async () => {
  place = await openPlace();
  await place.scene.fund('acme', 10_000);
  screen = new Screen(false, 80);
  context = { ...place.context({}), stdout: screen, stderr: screen };
});
afterEach(() => place.close());

const nobody = async (): Promise<WorkersSeen> => ({ temporal: 'not running', workers: 0, trouble: null });

describe('waiting for a price', () => {
  test('says why none comes, once for each reason, and ends when the person leaves', async () => {
    const batchId = await stored(['a', 'b']);
    const leave = new AbortController();
    let nowMs = 0;
    const clock = () => {
      nowMs += 6_000;
      return nowMs;
    };
    const trouble = 'prices could not be asked: no connection to https://movies.example.test (ECONNREFUSED)';
    const seen: WorkersSeen[] = [
      { temporal: 'away', workers: 0, trouble: null },
      { temporal: 'there', workers: 0, trouble: null },
      { temporal: 'there', workers: 0, trouble: null },
      { temporal: 'there', workers: 1, trouble },
      { temporal: 'there', workers: 1, trouble: null },
    ];
    const seeWorkers = async (): Promise<WorkersSeen> => {
      if (seen.length === 1) leave.abort(new Error('the person left'));
      return seen.shift() as WorkersSeen;
    };
    const look = { batchId, actor: fay };
    const waiting = waitForSeal(context, {
      ...{ deps: { ledger: place.ledger, clock, seeWorkers }, look, mode: 'plain', signal: leave.signal },
    });
    await expect(waiting).rejects.toThrow('the person left');
    expect(screen.text.split('\n').filter((line) => /^No price|^Ctrl-C/.test(line))).toEqual([
      'No price yet: Temporal does not answer; next: greenlight doctor',
      'Ctrl-C leaves; the batch is stored and continues without you',
      'No price yet: no worker is running; next: greenlight worker',
      `No price yet: ${trouble}, retried automatically; next: greenlight doctor`,
      expect.stringMatching(/^No price yet: studio is being asked for prices since 20\d\d-\d\d-\d\d \d\d:\d\d$/),
    ]);
  });

  test('ends with the sealed batch', async () => {
    const batchId = await stored(['a', 'b']);
    let sealing: Promise<unknown> | undefined;
    screen.onText = () => {
      sealing ??= seal(batchId);
    };
    const { deps, mode, signal } = quiet();
    expect(await waitForSeal(context, { deps, mode, signal, look: { batchId, actor: fay } })).toMatchObject({
      state: 'waiting',
      totalMinor: 200,
    });
    await sealing;
  });

  test('of a plan that is refused ends with the reason and exit code 3', async () => {
    const batchId = await stored(['a']);
    await sealBatch(place.ledger, { batchId });
    const { deps, mode, signal } = quiet();
    await expect(waitForSeal(context, { deps, mode, signal, look: { batchId, actor: fay } })).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining('rows without a price: a'),
    });
  });
});

describe('watching a batch', () => {
  test('in a pipe says each change of state and each new alarm on a line, until it is settled', async () => {
    const batchId = await place.scene.make(['a', 'b']);
    await place.scene.order(batchId, 'a');
    await place.scene.look(batchId, 'a', 'completed');
    const message = 'Cannot write the download: the disk is full (ENOSPC)';
    await recordArchiveAlarm(place.ledger, { batchId, rowKey: 'a', message, nowMs: place.scene.nowMs });
    await pauseBatch(place.ledger, { batchId, actor: oli, nowMs: place.scene.nowMs });
    let finishing: Promise<unknown> | undefined;
    screen.onText = (text) => {
      if (text.includes('ENOSPC')) finishing ??= finish(batchId);
    };
    const { deps, signal } = quiet();
    const settled = await watchBatch(context, {
      ...{ deps, signal, look: { batchId, actor: fay }, mode: 'plain', link: null },
    });
    await finishing;
    expect(settled.state).toBe('canceled');
    const lines = screen.text.trimEnd().split('\n');
    expect(lines[0]).toMatch(
      / spring-1 paused saving=1 waiting=1 posted=1\.00 held=0\.00 currency=USD \(no worker is running; /,
    );
    expect(lines[0]).toMatch(/waiting 1: paused by oli since \S+; next: greenlight resume spring-1/);
    expect(lines[0]).toMatch(
      /saving 1: Cannot write the download: the disk is full \(ENOSPC\) since \d\d:\d\d:\d\d, continues as soon as/,
    );
    expect(lines.at(-1)).toMatch(/ spring-1 canceled delivered=1 canceled=1 posted=1\.00/);
  });

  test('ends at once when the person leaves; the batch goes on', async () => {
    const batchId = await place.scene.make(['a']);
    const leave = new AbortController();
    screen.onText = () => leave.abort(new Error('the person left'));
    const watching = watchBatch(context, {
      ...{ deps: quiet().deps, signal: leave.signal, look: { batchId, actor: fay } },
      ...{ mode: 'plain', link: null },
    });
    await expect(watching).rejects.toThrow('the person left');
    expect((await place.scene.batch(batchId)).state).toBe('making');
  });
});

function quiet() {
  return {
    deps: { ledger: place.ledger, clock: Date.now, seeWorkers: nobody },
    mode: 'plain' as const,
    signal: new AbortController().signal,
  };
}

async function stored(keys: readonly string[]): Promise<string> {
  const { batchId } = await createBatch(place.ledger, {
    ...{ service: studio, campaign: 'spring', actor: sam, nowMs: place.scene.nowMs, settings: plainSettings },
    manifest: { name: 'spring.csv', columns: ['id', 'prompt'] },
    rows: () => pages(keys.map((key) => brief(key))),
  });
  return batchId;
}

async function seal(batchId: string): Promise<void> {
  await place.scene.price(batchId);
  await sealBatch(place.ledger, { batchId });
}

async function finish(batchId: string): Promise<void> {
  await place.run(['cancel', batchId, '--all', '--reason', 'enough']);
  await place.scene.archive(batchId, 'a');
  await settleBatch(place.ledger, { batchId, nowMs: place.scene.nowMs });
}
