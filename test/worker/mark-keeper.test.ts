import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createMarkKeeper } from '../../worker/mark-keeper.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Marks whose writing ends when the test says so. */
function slowMarks() {
  const begun: (() => void)[] = [];
  const write = () => new Promise<void>((resolve) => begun.push(resolve));
  return { begun, write };
}

describe('the keeper of the mark', () => {
  test('lets no order of a first moment leave before the mark is written', async () => {
    const { begun, write } = slowMarks();
    const keeper = createMarkKeeper(write);
    const sent: string[] = [];
    const orders = ['a', 'b'].map((name) => keeper.beforeSend().then(() => sent.push(name)));
    await vi.advanceTimersByTimeAsync(10);
    expect([begun.length, sent]).toEqual([1, []]);
    begun[0]?.();
    await Promise.all(orders);
    expect(sent).toEqual(['a', 'b']);
    const stopped = keeper.stop();
    begun[1]?.();
    await stopped;
  });

  test('writes once a second while orders go on, and once more after the last', async () => {
    let writes = 0;
    const keeper = createMarkKeeper(async () => {
      writes += 1;
    });
    for (let order = 0; order < 30; order += 1) {
      await keeper.beforeSend();
      await vi.advanceTimersByTimeAsync(100);
    }
    await keeper.beforeSend();
    expect(writes).toBe(4);
    const before = writes;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(writes).toBe(before + 1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(writes).toBe(before + 1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('puts right what another worker wrote that had read before it', async () => {
    let ledger = 1;
    let mark = 0;
    const slow = slowMarks();
    const other = createMarkKeeper(async () => {
      const read = ledger;
      await slow.write();
      mark = read;
    });
    const own = createMarkKeeper(async () => {
      mark = ledger;
    });
    const sent = other.beforeSend();
    ledger = 2;
    await own.beforeSend();
    slow.begun[0]?.();
    await sent;
    expect(mark).toBe(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(mark).toBe(2);
    const stopped = other.stop();
    slow.begun[1]?.();
    await Promise.all([stopped, own.stop()]);
  });

  test('writes what is left when it stops', async () => {
    let writes = 0;
    const keeper = createMarkKeeper(async () => {
      writes += 1;
    });
    await keeper.beforeSend();
    await keeper.beforeSend();
    await keeper.stop();
    expect(writes).toBe(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('that cannot write says so to every order until it can', async () => {
    let full = true;
    const keeper = createMarkKeeper(async () => {
      if (full) throw new Error('the disk is full');
    });
    await expect(keeper.beforeSend()).rejects.toThrow('full');
    await expect(keeper.beforeSend()).rejects.toThrow('full');
    full = false;
    await keeper.beforeSend();
    full = true;
    await keeper.beforeSend();
    await vi.advanceTimersByTimeAsync(1_000); // the later write fails
    await expect(keeper.beforeSend()).rejects.toThrow('full');
    await keeper.stop();
  });
});
