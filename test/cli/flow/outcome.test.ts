import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { printOutcome } from '../../../cli/flow/outcome.js';
import { storedPlan } from '../../../cli/views/load-plan.js';
import { planLines } from '../../../cli/views/plan-view.js';
import { rejectBatch } from '../../../ledger/plan/decisions.js';
import { settleBatch } from '../../../ledger/progress/settle.js';
import { brief, fay, studio } from '../../ledger/scene.js';
import { openPlace, type Place } from '../terminal.js';

const real = { ...studio, name: 'films', baseUrl: 'https://films.test/v1', rehearsal: false };

let place: Place;
beforeEach(async () => {
  place = await openPlace();
  await place.scene.fund('acme', 100_000);
});
afterEach(() => place.close());

describe('how a batch ended', () => {
  test('with everything delivered is said in three lines, exit code 0', async () => {
    const batchId = await place.scene.make(['a', 'b']);
    for (const key of ['a', 'b']) await place.scene.deliver(batchId, key);
    expect(await outcome(batchId)).toEqual({
      code: 0,
      lines: [
        expect.stringMatching(/^spring-1 finished in 0 s: 2 of 2 rows delivered$/),
        'approved 2.00  posted 2.00  held 0.00  released 0.00 USD   checksums verified: 2',
        'rehearsal: made by the studio, no charges',
        'files out/spring-1 (gallery.html, results.csv, certificate.json)',
        'next: greenlight open spring-1, or greenlight bundle spring-1 --zip',
      ],
    });
  });

  test('with failures names them by reason, what they cost, and what ordering them again would', async () => {
    const batchId = await place.scene.make(['a', 'b', 'c', 'd']);
    await place.scene.deliver(batchId, 'a');
    for (const key of ['b', 'c']) {
      await place.scene.order(batchId, key);
      const error = { code: 'moderation', message: 'refused\u001b[31m by moderation' };
      await place.scene.look(batchId, key, 'failed', { error });
    }
    await place.run(['cancel', batchId, 'd', '--reason', 'wrong logo']);
    const { lines, code } = await outcome(batchId);
    expect(lines[0]).toMatch(/finished in 0 s: 1 of 4 rows delivered, 2 failed, 1 canceled$/);
    expect(lines[1]).toContain('posted 3.00  held 0.00  released 1.00 USD');
    expect(lines.join('\n')).toMatch(/b c {2}failed: .*refused \[31m by moderation, assumed charged/);
    expect(lines.join('\n')).toContain('d  canceled: wrong logo, not charged');
    expect(lines.slice(-3)).toEqual([
      'files out/spring-1 (gallery.html, results.csv, certificate.json)',
      'again: greenlight retry spring-1 (3.00 USD)',
      'next: greenlight open spring-1, or greenlight bundle spring-1 --zip',
    ]);
    expect(code).toBe(1);
  });

  test('with an unknown order is partially settled, keeps its hold, and says what to do', async () => {
    const batchId = await place.scene.make(['a']);
    await place.scene.admit(batchId, 'a');
    await place.scene.answer(batchId, 'a', { kind: 'broken' });
    const { lines, code } = await outcome(batchId);
    expect(lines[0]).toMatch(/^spring-1 partially settled after .*: 0 of 1 row delivered, 1 unknown$/);
    expect(lines[1]).toContain('held 1.00');
    expect(lines.join('\n')).toContain('its hold stays until it is resolved');
    expect(lines.at(-1)).toContain('next: greenlight unknown list');
    expect(code).toBe(1);
  });

  test('with nothing to order and everything delivered before is exit code 0, else 1', async () => {
    const first = await place.scene.make(['a']);
    await place.scene.deliver(first, 'a');
    await settleBatch(place.ledger, { batchId: first, nowMs: place.scene.nowMs });
    const all = await outcome(await place.scene.seal(['a']));
    expect(all.lines).toEqual([
      'spring-2 nothing to order, 0.00 USD: its one row is delivered already',
      'all films of spring: greenlight bundle spring',
    ]);
    expect(all.code).toBe(0);
    const changed = await outcome(await place.scene.seal([brief('a', { prompt: 'Another runner at dawn' })]));
    expect(changed.lines).toEqual([
      'spring-3 nothing to order, 0.00 USD: 0 of 1 rows are delivered',
      'why: greenlight status spring-3 --rows',
    ]);
    expect(changed.code).toBe(1);
  });
});

test('a batch that was rejected meanwhile has not finished, and says why', async () => {
  const batchId = await place.scene.seal(['a']);
  await rejectBatch(place.ledger, { batchId, actor: fay, reason: 'too dear', nowMs: place.scene.nowMs });
  const { lines, code } = await outcome(batchId);
  expect(lines[0]).toBe('spring-1 refused: rejected by fay: too dear');
  expect(lines.at(-1)).toBe('again: greenlight plan spring.csv');
  expect(code).toBe(3);
});

describe('the plan', () => {
  test('names each class with its money, and the flag that would order what is left out', async () => {
    const first = await place.scene.make(['a', 'b', 'c']);
    await place.scene.deliver(first, 'a');
    await place.scene.deliver(first, 'b');
    await place.scene.order(first, 'c');
    await place.scene.look(first, 'c', 'failed', { error: { code: 'moderation', message: 'refused' } });
    await settleBatch(place.ledger, { batchId: first, nowMs: place.scene.nowMs });
    const rows = ['a', brief('b', { durationSeconds: 9 }), 'c', 'd', brief('e', { prompt: brief('a').prompt })];
    const lines = await plan(await place.scene.seal(rows));
    expect(lines[0]).toMatch(/^spring-2 {2}acme\/spring {2}digest [0-9a-f]{4} [0-9a-f]{4} [0-9a-f]{4}$/);
    expect(lines.slice(1, 11)).toEqual([
      'new            1  1.00 USD',
      'respend        1         -  paid before, changed since (duration_seconds 1); --respend orders them again',
      'failed before  1         -  failed 1; --include failed orders them again',
      'duplicate?     1         -  same content is ordered in spring-1; --allow-duplicates orders it again',
      'unchanged      1         -  not ordered again',
      'total          1  1.00 USD  rehearsal (no charges)',
      '  respend, not ordered: b (1.00 USD before)',
      '  failed before, not ordered: c (1.00 USD before)',
      '  duplicate?, not ordered: e',
      expect.stringContaining('budget acme'),
    ]);
  });

  test('of real money says so by not calling it a rehearsal, and names the level that has least room', async () => {
    await place.scene.fund('acme', 100_000, real);
    await place.scene.fund('acme/spring', 150, real);
    const lines = await plan(await place.scene.seal(['a', 'b'], { service: real }));
    expect(lines).toContain('total  2  2.00 USD');
    expect(lines).toContain('budget acme/spring: 1.50 USD available, 0.50 USD short');
    expect(lines).toContain('assumed: a movie that fails or is canceled is charged');
  });
});

async function outcome(batchId: string): Promise<{ readonly lines: readonly string[]; readonly code: number }> {
  await settleBatch(place.ledger, { batchId, nowMs: place.scene.nowMs });
  const context = place.context({});
  const deps = {
    ...{ ledger: place.ledger, service: studio, clock: Date.now },
    workflows: {
      startBatch: async () => true,
      takeUpRows: async () => true,
      resizeBatch: async () => true,
      nudgeBatch: async () => true,
      nudgeSlice: async () => true,
    },
  };
  const look = { batchId, actor: fay };
  await printOutcome(context, { deps, look, folder: `${context.cwd}/out/${batchId}`, json: false });
  return { lines: context.stdout.text.trimEnd().split('\n'), code: context.code() };
}

async function plan(batchId: string): Promise<readonly string[]> {
  return planLines(await storedPlan({ ledger: place.ledger }, { batchId, actor: fay }));
}
