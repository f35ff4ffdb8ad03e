import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LedgerError } from '../../../ledger/ledger.js';
import { startBudget } from '../../../ledger/money/budgets.js';
import { listUnknowns } from '../../../ledger/orders/unknowns.js';
import { ledgerFaults } from '../../../ledger/progress/orphans.js';
import { auditCounters } from '../../../ledger/verification/counter-check.js';
import { runs } from '../../runs.js';
import type { Databases } from '../databases.js';
import { fay } from '../scene.js';
import { suite } from '../suite.js';
import { createPretendService } from './pretend-service.js';
import { approve, comeToRest, expectAtRest, step, take, type World } from './world.js';

let worlds = 0;

/** A campaign of its own with a budget of 10.00, where nothing has happened yet. */
async function openWorld(scene: World['scene']): Promise<World> {
  worlds += 1;
  const campaign = `world-${worlds}`;
  await scene.fund(campaign, 1_000);
  return { scene, campaign, path: campaign, service: createPretendService(), batches: [] };
}

export function propertiesCases(databases: Databases): void {
  suite('whatever happens in whatever order', databases, (stage) => {
    const tried = { numRuns: runs(databases.name === 'SQLite' ? 60 : 12) };

    test(
      'money is conserved, a hold ends once, and at rest every movie is paid for once',
      { timeout: 300_000 },
      async () => {
        const property = fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 70 }), async (steps) => {
          const world = await openWorld(stage.scene);
          const { campaign } = world;
          for (const one of steps) {
            await take(world, one).catch((error: unknown) => {
              // People are told that something cannot be done; that must not change anything.
              if (!(error instanceof LedgerError) || error.code === 'corrupt_books') throw error;
            });
            expect(await auditCounters(world.scene.ledger)).toEqual([]);
          }
          await startBudget(world.scene.ledger, { path: campaign, actor: fay, nowMs: world.scene.nowMs });
          await comeToRest(world);
          await expectAtRest(world);
          expect(await auditCounters(world.scene.ledger)).toEqual([]);
          expect(await listUnknowns(world.scene.ledger)).toEqual([]);
          expect((await ledgerFaults(world.scene.ledger)).filter(({ kind }) => kind !== 'late_movie')).toEqual([]);
        });
        await fc.assert(property, tried);
      },
    );

    test('side by side, too: the same books come out as one after the other', { timeout: 300_000 }, async () => {
      const property = fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
        const world = await openWorld(stage.scene);
        const { campaign } = world;
        world.batches.push(
          await world.scene.seal(['a', 'b', 'c', 'd'], {
            campaign,
            settings: { budgetPath: campaign, allowDuplicates: true },
          }),
        );
        await approve(world, world.batches[0] ?? '');
        for (let from = 0; from < steps.length; from += 5) {
          const taken = await Promise.allSettled(steps.slice(from, from + 5).map((one) => take(world, one)));
          for (const outcome of taken) {
            if (outcome.status !== 'rejected') continue;
            const { reason } = outcome;
            if (!(reason instanceof LedgerError) || reason.code === 'corrupt_books') throw reason;
          }
        }
        await startBudget(world.scene.ledger, { path: campaign, actor: fay, nowMs: world.scene.nowMs });
        await comeToRest(world);
        await expectAtRest(world);
        expect(await auditCounters(world.scene.ledger)).toEqual([]);
      });
      await fc.assert(property, tried);
    });
  });
}
