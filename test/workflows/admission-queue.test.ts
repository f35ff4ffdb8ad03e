import { expect, test, vi } from 'vitest';
import { AdmissionQueue } from '../../workflows/admission-queue.js';

/** As much of the SDK as a door touches; its own parts take a workflow around them. */
vi.mock('@temporalio/workflow', () => ({
  Trigger: class Trigger extends Promise<void> {
    static override get [Symbol.species]() {
      return Promise;
    }
    readonly resolve: () => void;
    constructor() {
      let resolved = () => {};
      super((resolve) => {
        resolved = resolve;
      });
      this.resolve = resolved;
    }
  },
  CancellationScope: class {
    run<T>(work: () => Promise<T>): Promise<T> {
      return work();
    }
  },
}));

const steps = async (count: number) => {
  for (let step = 0; step < count; step += 1) await undefined;
};

test.each([...Array(24).keys()])(
  'a row that comes %i steps after the door opened for another gets in',
  async (count) => {
    const admit = vi.fn(async () => 1);
    const door = new AdmissionQueue(admit);
    const first = door.open();
    await steps(count);
    await Promise.all([first, door.open()]);
    expect(admit).toHaveBeenCalledTimes(2);
  },
);

test('as many go on as there is room for, and at least one', async () => {
  const rooms = [2, 0, 5];
  const admit = vi.fn(async () => rooms.shift() ?? 0);
  const door = new AdmissionQueue(admit);
  const entered: string[] = [];
  await Promise.all(['a', 'b', 'c', 'd'].map((row) => door.open().then(() => entered.push(row))));
  expect(entered).toEqual(['a', 'b', 'c', 'd']);
  expect(admit).toHaveBeenCalledTimes(3);
});

test('a look at the ledger that fails for good fails whoever waits, and the next row asks again', async () => {
  const admit = vi.fn<() => Promise<number>>().mockRejectedValueOnce(new Error('broken books')).mockResolvedValue(2);
  const door = new AdmissionQueue(admit);
  await expect(door.open()).rejects.toThrow('broken books');
  await door.open();
  expect(admit).toHaveBeenCalledTimes(2);
});

test('the ledger is told how many rows in a row went on in vain, since one got in or somebody looked', async () => {
  const admit = vi.fn(async (_refusals: number) => 1);
  const door = new AdmissionQueue(admit);
  const asks = async (refused: boolean) => {
    await door.open();
    door.heard(refused);
  };
  for (const refused of [true, true, false, true]) await asks(refused);
  door.look();
  await asks(true);
  expect(admit.mock.calls).toEqual([[0], [1], [2], [0], [0]]);
});
