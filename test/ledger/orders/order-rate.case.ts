import fc from 'fast-check';
import { expect, test } from 'vitest';
import { admitRow } from '../../../ledger/orders/admission.js';
import type { Databases } from '../databases.js';
import { type Scene, studio } from '../scene.js';
import { suite } from '../suite.js';

let batches = 0;

/** One worker's try to send a row, this long after the last one. */
const tries = fc.array(fc.record({ afterMs: fc.nat({ max: 700 }), row: fc.nat({ max: 7 }), refused: fc.boolean() }), {
  minLength: 20,
  maxLength: 40,
});

/** How many of these moments are in the fullest second. */
function mostInASecond(moments: readonly number[]): number {
  return Math.max(
    0,
    ...moments.map((from) => moments.filter((moment) => moment >= from && moment < from + 1_000).length),
  );
}

export function orderRateCases(databases: Databases): void {
  suite('the rate of orders', databases, (stage) => {
    const numRuns = databases.name === 'SQLite' ? 20 : 6;

    async function manyRows(scene: Scene): Promise<{ readonly batchId: string; readonly keys: readonly string[] }> {
      batches += 1;
      const keys = Array.from({ length: 8 }, (_, index) => `b${batches}-${index}`);
      return { batchId: await scene.make(keys, { campaign: `rate-${batches}` }), keys };
    }

    const admit = (scene: Scene, { batchId, rowKey, rate }: { batchId: string; rowKey: string; rate: number }) =>
      admitRow(scene.ledger, { batchId, rowKey, service: studio, ordersPerSecond: rate });

    test(
      'whoever asks whenever: no second has more than the rate and one, first sends and repeats together',
      { timeout: 120_000 },
      async () => {
        const property = fc.asyncProperty(fc.constantFrom(0.5, 1, 3, 7.5), tries, async (rate, asked) => {
          const { scene } = stage;
          scene.nowMs += 60_000;
          const { batchId, keys } = await manyRows(scene);
          const sent: number[] = [];
          for (const { afterMs, row, refused } of asked) {
            scene.nowMs += afterMs;
            const rowKey = keys[row] ?? '';
            const admission = await admit(scene, { batchId, rowKey, rate });
            if (admission.kind === 'wait') expect(admission.delayMs).toBeGreaterThan(0);
            if (admission.kind !== 'send') continue;
            sent.push(scene.nowMs);
            await scene.answer(
              batchId,
              rowKey,
              refused ? { kind: 'not_connected' } : { kind: 'movie', movieId: `m-${rowKey}`, echo: 'matches' },
            );
          }
          expect(mostInASecond(sent)).toBeLessThanOrEqual(Math.floor(rate) + 1);
          expect(sent.length).toBeGreaterThan(0);
        });
        await fc.assert(property, { numRuns });
      },
    );

    test('who waits as long as it was told is next', async () => {
      const { scene } = stage;
      const { batchId, keys } = await manyRows(scene);
      for (const [index, rowKey] of keys.entries()) {
        const first = await admit(scene, { batchId, rowKey, rate: 3 });
        expect(first.kind).toBe(index === 0 ? 'send' : 'wait');
        if (first.kind !== 'wait') continue;
        expect(first.delayMs).toBeLessThanOrEqual(334);
        scene.nowMs += first.delayMs;
        expect(await admit(scene, { batchId, rowKey, rate: 3 })).toMatchObject({ kind: 'send' });
      }
    });

    test('of rows that ask at one moment one leaves, and each of the others is told when', async () => {
      const { scene } = stage;
      const { batchId, keys } = await manyRows(scene);
      const admissions = await Promise.all(keys.map((rowKey) => admit(scene, { batchId, rowKey, rate: 2 })));
      const [first, ...others] = admissions.toSorted((one, other) => one.kind.localeCompare(other.kind));
      expect(first?.kind).toBe('send');
      expect(others).toEqual(others.map(() => ({ kind: 'wait', delayMs: 500 })));
      // Without a rate they would have left together.
      scene.nowMs += 500;
      const [, ...later] = await Promise.all(keys.map((rowKey) => scene.admit(batchId, rowKey)));
      expect(later.map(({ kind }) => kind)).toEqual(later.map(() => 'send'));
    });

    test.each([
      ['refuses for now', { kind: 'refused', status: 429, code: null, message: '', retryAfterMs: 3_000 }],
      ['is not well', { kind: 'lost', retryAfterMs: 3_000 }],
    ] as const)(
      'a service that %s and says when to come back: all orders wait so long, and no longer',
      async (_, answer) => {
        const { scene } = stage;
        const { batchId, keys } = await manyRows(scene);
        const [asked = '', ...others] = keys;
        await scene.admit(batchId, asked);
        const repeated = others.shift() ?? '';
        await scene.admit(batchId, repeated);
        await scene.answer(batchId, repeated, { kind: 'not_connected' });
        await scene.answer(batchId, asked, answer);
        scene.nowMs += 2_999;
        for (const rowKey of [asked, repeated, ...others]) {
          expect(await scene.admit(batchId, rowKey)).toEqual({ kind: 'wait', delayMs: 1 });
        }
        scene.nowMs += 1;
        for (const rowKey of [asked, repeated, ...others]) {
          expect(await scene.admit(batchId, rowKey)).toMatchObject({ kind: 'send' });
        }
      },
    );

    const after = (status: number, retryAfterMs: number | null) =>
      ({ kind: 'refused', status, code: null, message: '', retryAfterMs }) as const;

    test.each([
      ['is asked too often', after(429, null), 1_000],
      ['is still working on the key', after(409, 5_000), 0],
      ['is not reached', { kind: 'not_connected' }, 0],
      ['does not answer', { kind: 'lost' }, 0],
      ['was not asked at all', { kind: 'withheld', why: 'ordering was stopped' }, 0],
    ] as const)('where a service %s, other orders wait only if it is too busy for any', async (_, answer, pauseMs) => {
      const { scene } = stage;
      const { batchId, keys } = await manyRows(scene);
      const [asked = '', other = ''] = keys;
      await scene.admit(batchId, asked);
      expect(await scene.answer(batchId, asked, answer)).toMatchObject({ kind: 'wait' });
      const admission = await scene.admit(batchId, other);
      expect(admission).toMatchObject(pauseMs > 0 ? { kind: 'wait', delayMs: pauseMs } : { kind: 'send' });
    });

    test('a pause that a service asks for is not made shorter by what it asks others, and may be made longer', async () => {
      const { scene } = stage;
      const { batchId, keys } = await manyRows(scene);
      const [a = '', b = '', c = '', d = '', last = ''] = keys;
      for (const rowKey of [a, b, c, d]) await scene.admit(batchId, rowKey);
      const pause = async (rowKey: string, retryAfterMs: number) => {
        await scene.answer(batchId, rowKey, after(429, retryAfterMs));
        const admission = await scene.admit(batchId, last);
        return admission.kind === 'wait' ? admission.delayMs : admission.kind;
      };
      expect(await pause(a, 7_000)).toBe(7_000);
      expect(await pause(b, 2_000)).toBe(7_000);
      expect(await pause(c, 9_000)).toBe(9_000);
      scene.nowMs += 9_000;
      expect(await pause(d, 3_000)).toBe(3_000);
    });

    test.each([0, 1])(
      'a repeat takes its moment, also one that is asked for as soon as it may be (%i ms late)',
      async (lateMs) => {
        const { scene } = stage;
        const { batchId, keys } = await manyRows(scene);
        const [repeated = '', other = ''] = keys;
        await admit(scene, { batchId, rowKey: repeated, rate: 1 });
        const answered = await scene.answer(batchId, repeated, { kind: 'not_connected' });
        expect(answered).toMatchObject({ kind: 'wait', delayMs: 1_000 });
        scene.nowMs += 1_000 + lateMs;
        expect(await admit(scene, { batchId, rowKey: repeated, rate: 1 })).toMatchObject({ kind: 'send' });
        expect(await admit(scene, { batchId, rowKey: other, rate: 1 })).toEqual({ kind: 'wait', delayMs: 1_000 });
      },
    );
  });
}
