import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { digestBriefs, type PlanSettings } from '../../../domain/digests/briefs-digest.js';
import { digestOf } from '../../../domain/digests/canonical.js';
import { digestPlan, type PlanHead, type PlannedRow } from '../../../domain/digests/plan-digest.js';

const head: PlanHead = {
  service: { name: 'studio', baseUrl: 'embedded' },
  ...{ campaign: 'spring', currency: 'USD', budgetPath: 'acme/spring', policyVersion: 1 },
};
const rows: readonly PlannedRow[] = [
  { rowKey: 'a', class: 'new', contentDigest: 'aa', amountMinor: 100 },
  { rowKey: 'b', class: 'unchanged', contentDigest: 'bb', amountMinor: null },
  { rowKey: 'c', class: 'respend', contentDigest: 'cc', amountMinor: 250 },
];

function planOf(planned: readonly PlannedRow[], over: Partial<PlanHead> = {}) {
  const digester = digestPlan({ ...head, ...over });
  for (const row of planned) digester.add(row);
  return digester.digest();
}

describe('the plan digest', () => {
  test('is the SHA-256 of the canonical plan, written piece by piece', () => {
    const document = {
      budget_path: 'acme/spring',
      currency: 'USD',
      lineage: { service: { name: 'studio', base_url: 'embedded' }, campaign: 'spring' },
      policy_version: 1,
      rows: [
        { key: 'a', class: 'new', content: 'aa', amount_minor: 100 },
        { key: 'b', class: 'unchanged', content: 'bb', amount_minor: null },
        { key: 'c', class: 'respend', content: 'cc', amount_minor: 250 },
      ],
      total_minor: 350,
    };
    expect(planOf(rows)).toEqual({ planDigest: digestOf(document), totalMinor: 350 });
  });

  test('an empty plan has one too', () => {
    expect(planOf([])).toMatchObject({ totalMinor: 0 });
    expect(planOf([]).planDigest).toMatch(/^[0-9a-f]{64}$/);
  });

  test('changes with everything that an approval is bound to', () => {
    const [first, ...others] = rows;
    if (!first) throw new Error('the plan has rows');
    const variants = [
      planOf([{ ...first, rowKey: '0' }, ...others]),
      planOf([{ ...first, class: 'respend' }, ...others]),
      planOf([{ ...first, contentDigest: 'ab' }, ...others]),
      planOf([{ ...first, amountMinor: 101 }, ...others]),
      planOf(others),
      planOf(rows, { budgetPath: 'acme' }),
      planOf(rows, { currency: 'EUR' }),
      planOf(rows, { campaign: 'winter' }),
      planOf(rows, { policyVersion: 2 }),
      planOf(rows, { service: { name: 'studio', baseUrl: 'https://movies.example/v1' } }),
    ];
    expect(new Set([planOf(rows), ...variants].map(({ planDigest }) => planDigest)).size).toBe(variants.length + 1);
  });

  test('rows out of order are a fault of the caller, not another plan', () => {
    expect(() => planOf([...rows].reverse())).toThrow('rows must be sorted by key');
    expect(() => planOf([...rows, ...rows.slice(-1)])).toThrow('rows must be sorted by key');
  });
});

describe('the briefs digest', () => {
  const settings: PlanSettings = {
    ...{ budgetPath: 'acme', currency: null, include: [], respend: false, allowDuplicates: false, allowFree: false },
  };
  const briefs = (of: readonly { rowKey: string; contentDigest: string }[], over: Partial<PlanSettings> = {}) => {
    const digester = digestBriefs({ ...settings, ...over });
    for (const row of of) digester.add(row);
    return digester.digest();
  };

  test('does not depend on the order of the rows', () => {
    const row = fc.record({ rowKey: fc.string({ minLength: 1 }), contentDigest: fc.string() });
    const sheet = fc.uniqueArray(row, { selector: ({ rowKey }) => rowKey, minLength: 2 });
    fc.assert(
      fc.property(
        sheet.chain((given) => fc.tuple(fc.constant(given), fc.shuffledSubarray(given, { minLength: given.length }))),
        ([given, shuffled]) => {
          expect(briefs(shuffled)).toBe(briefs(given));
        },
      ),
    );
  });

  test('depends on every row and on the settings that change the plan', () => {
    const two = [
      { rowKey: 'a', contentDigest: 'A' },
      { rowKey: 'b', contentDigest: 'B' },
    ];
    const swapped = [
      { rowKey: 'a', contentDigest: 'B' },
      { rowKey: 'b', contentDigest: 'A' },
    ];
    const digests = [
      briefs(two),
      briefs(swapped),
      briefs(two.slice(1)),
      briefs(two, { respend: true }),
      briefs(two, { include: ['lost'] }),
      briefs(two, { budgetPath: 'acme/spring' }),
      briefs(two, { allowFree: true }),
    ];
    expect(new Set(digests).size).toBe(digests.length);
    expect(briefs(two, { include: ['lost', 'failed'] })).toBe(briefs(two, { include: ['failed', 'lost'] }));
  });
});
