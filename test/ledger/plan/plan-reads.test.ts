import { expect, test } from 'vitest';
import { openLedger } from '../../../ledger/ledger.js';
import { checkPlan } from '../../../ledger/plan/approval-checks.js';
import { plansOf, rememberStatements } from '../scans.js';
import { fay, setTheScene } from '../scene.js';

/** A plan of 100,000 new rows is compared with the books in 65 ms so; by the rows themselves it took 330 ms. */
test('the checks of a plan find estimates, classes and contents in indexes, in their order, without the rows', async () => {
  const ledger = await openLedger({ url: 'sqlite::memory:' });
  const forget = rememberStatements();
  try {
    const scene = setTheScene(ledger);
    await scene.fund('acme', 1_000);
    await scene.make(['a']);
    const batchId = await scene.seal(['b'], { campaign: 'winter' });
    expect(await checkPlan(ledger, { batchId, actor: fay })).toMatchObject({ classes: null, estimates: null });
    const plans = [
      ...(await plansOf(ledger, 'ledger/plan/row-histories.ts rowsWithHistory')),
      ...(await plansOf(ledger, 'ledger/plan/old-estimates.ts oldEstimates')),
    ];
    expect(plans).toEqual(
      expect.arrayContaining([
        'SEARCH rows USING INDEX rows_classed (batch_id=?)',
        'SEARCH rows USING COVERING INDEX rows_of_plan (batch_id=?)',
        expect.stringMatching(/^SEARCH other .*USING COVERING INDEX rows_content \(content_digest=\?\)$/),
        expect.stringMatching(/^SEARCH rows USING INDEX rows_estimated \(batch_id=\? AND estimated_ms<\?\)$/),
      ]),
    );
    expect(plans.filter((plan) => /SCAN (rows|other|orders)/.test(plan))).toEqual([]);
  } finally {
    forget();
    await ledger.close();
  }
});
