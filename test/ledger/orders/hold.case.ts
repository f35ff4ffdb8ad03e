import { expect, test } from 'vitest';
import type { Tx } from '../../../ledger/ledger.js';
import { AdmissionBlocked, StaleRead, takeFromBatch } from '../../../ledger/orders/hold.js';
import type { Databases } from '../databases.js';
import { suite } from '../suite.js';

type Change = Partial<
  Record<'approved_minor' | 'held_minor' | 'posted_minor' | 'returned_minor', number> & {
    readonly state: 'canceled' | 'closed';
    readonly stops: string;
    readonly in_flight: number;
    readonly max_in_flight: number;
    readonly canary_left: number;
  }
>;

class NotKept extends Error {}

const paused = JSON.stringify({ paused: { sinceMs: 1, detail: 'paused by oli' } });

/** Two rows of 1.00 USD each: 200 approved, nothing held. */
export function holdCases(databases: Databases): void {
  suite('taking from a batch', databases, (stage) => {
    /** What `takeFromBatch` does in a batch that is changed so: what it takes, or throws; nothing of it is kept. */
    async function taking(change: Change, rows = 1, before?: (tx: Tx) => Promise<unknown>): Promise<unknown> {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b']);
      let outcome: unknown;
      const write = scene.ledger.write(async (tx) => {
        if (Object.keys(change).length > 0) await tx.updateTable('batches').set(change).execute();
        await before?.(tx);
        const wish = { batchId, position: 0, amountMinor: rows * 100, rows };
        outcome = await takeFromBatch(tx, wish).catch((error: unknown) => error);
        throw new NotKept();
      });
      await expect(write).rejects.toBeInstanceOf(NotKept);
      return outcome;
    }

    const barred = (reason: string) =>
      expect.objectContaining({ constructor: AdmissionBlocked, reason, delayMs: null });

    test.each<readonly [string, Change]>([
      ['nothing is in the way', {}],
      ['another row has the rest', { approved_minor: 200, held_minor: 100 }],
      ['the last place in flight is free', { max_in_flight: 1 }],
      ['one row of the canary is left', { canary_left: 1 }],
    ])('takes amount, place and turn of the canary where %s', async (_, change) => {
      const { held_minor = 0, canary_left } = change;
      expect(await taking(change)).toMatchObject({
        ...{ held_minor: held_minor + 100, in_flight: 1, canary_left: canary_left === undefined ? null : 0 },
      });
    });

    test.each([
      ['a batch that was canceled meanwhile', { state: 'canceled' }, 'it is canceled, not in progress'],
      ['a batch that is over', { state: 'closed', stops: paused }, 'it is closed, not in progress'],
    ] as const)('%s is refused as such', async (_, change, words) => {
      expect(await taking(change)).toMatchObject({ code: 'wrong_state', message: expect.stringContaining(words) });
    });

    test.each<readonly [string, Change, string]>([
      ['a stop, before any limit', { stops: paused, max_in_flight: 1, in_flight: 1, canary_left: 0 }, 'paused'],
      ['the last place that another row has', { max_in_flight: 2, in_flight: 2, canary_left: 0 }, 'in_flight'],
      ['a limit that was lowered', { max_in_flight: 1, in_flight: 2 }, 'in_flight'],
      ['a canary that has ordered its rows', { max_in_flight: 3, in_flight: 2, canary_left: 0 }, 'canary'],
      ['a canary, also where nothing is left to take', { canary_left: 0, held_minor: 200 }, 'canary'],
    ])('%s bars the way', async (_, change, reason) => {
      expect(await taking(change)).toEqual(barred(reason));
    });

    const usedUp = {
      code: 'corrupt_books',
      message: expect.stringMatching(/^Cannot order from .*used up; nothing was sent$/),
    };

    test.each<readonly [string, Change]>([
      ['held', { held_minor: 101 }],
      ['posted', { posted_minor: 101 }],
      ['returned', { returned_minor: 101 }],
      ['taken in several ways', { held_minor: 34, posted_minor: 33, returned_minor: 34 }],
      ['never approved', { approved_minor: 99, canary_left: 1, max_in_flight: 1 }],
    ])(
      'an amount that is %s is not taken twice, and a row without its order then contradicts the books',
      async (_, change) => {
        expect(await taking(change)).toMatchObject(usedUp);
      },
    );

    test('so does a row without its order that had waited', async () => {
      const blocked = (tx: Tx) => tx.updateTable('rows').set({ state: 'blocked' }).execute();
      expect(await taking({ held_minor: 101 }, 1, blocked)).toMatchObject(usedUp);
    });

    test('where the row itself was ordered meanwhile, the look was stale', async () => {
      const ordered = (tx: Tx) => tx.updateTable('rows').set({ state: 'ordering' }).where('position', '=', 0).execute();
      expect(await taking({ held_minor: 200 }, 1, ordered)).toBeInstanceOf(StaleRead);
    });

    test.each<readonly [string, Change]>([
      ['place', { max_in_flight: 2, in_flight: 1 }],
      ['turn of the canary', { canary_left: 1 }],
    ])('rows that find a %s for one of them alone are to ask one by one', async (_, change) => {
      expect(await taking(change, 2)).toBeInstanceOf(StaleRead);
    });
  });
}
