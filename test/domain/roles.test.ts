import { describe, expect, test } from 'vitest';
import { maySpend, type SpendingRules } from '../../domain/four-eyes.js';
import { type Act, type Actor, acts, mayAct, mayActOnOwn, type Role, roles } from '../../domain/roles.js';

const expected: Readonly<Record<Role, readonly Act[]>> = {
  submitter: ['submit'],
  operator: [
    'cancel',
    'pause',
    'resume',
    'continue',
    'limits',
    'retry',
    'refetch',
    'review',
    'share',
    'health',
    'see_all',
  ],
  finance: ['approve', 'reject', 'budget', 'reconcile', 'resolve', 'verify', 'see_all'],
  auditor: ['verify', 'see_all'],
  admin: ['verify', 'health', 'people', 'policy', 'archive'],
};

const actor = (over: Partial<Actor> = {}): Actor => ({ name: 'ana', roles: [], channel: 'terminal', ...over });

describe('roles', () => {
  test.each(roles.flatMap((role) => acts.map((act) => [role, act] as const)))('%s: %s', (role, act) => {
    expect(mayAct(actor({ roles: [role] }), act)).toBe(expected[role].includes(act));
  });

  test('nobody without a role may do anything', () => {
    for (const act of acts) expect(mayAct(actor(), act), act).toBe(false);
  });

  test('an admin never approves by that role, and policy does nothing but approve', () => {
    expect(acts.filter((act) => mayAct(actor({ roles: ['admin'] }), act))).not.toContain('approve');
    expect(acts.filter((act) => mayAct(actor({ channel: 'policy', roles }), act))).toEqual(['approve']);
  });

  test('the product itself stops and cancels, and spends nothing', () => {
    expect(acts.filter((act) => mayAct(actor({ channel: 'system', roles }), act))).toEqual(['cancel', 'pause']);
  });
});

describe('four eyes', () => {
  const everything = actor({ roles });
  const ask = (over: Partial<Actor>, askedBy: string, solo = false) =>
    maySpend(
      { ...everything, ...over },
      { act: 'approve', askedBy, rules: { solo, policyBy: [], policyIsTheirs: true } },
    );

  test('who asked does not release, whatever other roles they have', () => {
    expect(ask({}, 'ana')).toMatchObject({ allowed: false });
    expect(ask({}, 'ben')).toEqual({ allowed: true, selfApproved: false });
  });

  test('who works alone does, at the terminal or a page that it opened, and it is recorded so', () => {
    expect(ask({ channel: 'web', alone: true }, 'ana', true)).toEqual({ allowed: true, selfApproved: true });
    expect(ask({ channel: 'web', alone: true }, 'ana', false)).toMatchObject({ allowed: false });
    expect(ask({}, 'ana', true)).toEqual({ allowed: true, selfApproved: true });
    expect(ask({ channel: 'web' }, 'ana', true)).toMatchObject({ allowed: false });
    expect(ask({}, 'ben', true)).toEqual({ allowed: true, selfApproved: false });
  });

  test('the role counts first, also for who works alone', () => {
    expect(ask({ roles: ['submitter', 'admin'] }, 'ana', true)).toMatchObject({ allowed: false });
  });

  test('policy releases nothing for who had a hand in it, nor by an amount that no registered person set', () => {
    const policy = actor({ name: 'policy', channel: 'policy' });
    const byPolicy = (askedBy: string, over: Partial<SpendingRules> = {}) =>
      maySpend(policy, {
        ...{ act: 'approve', askedBy },
        rules: { solo: false, policyBy: ['ana', 'ben'], policyIsTheirs: true, ...over },
      }).allowed;
    expect(byPolicy('cora')).toBe(true);
    expect(byPolicy('ana')).toBe(false);
    expect(byPolicy('ben')).toBe(false);
    expect(byPolicy('cora', { policyIsTheirs: false })).toBe(false);
    expect(byPolicy('ana', { solo: true })).toBe(true);
  });
});

test('a submitter may cancel, pause, review and share what they submitted, and no other role may do more to its own', () => {
  const allowed = roles.flatMap((role) =>
    acts.filter((act) => mayActOnOwn(actor({ roles: [role] }), act)).map((act) => [role, act]),
  );
  expect(allowed).toEqual([
    ['submitter', 'cancel'],
    ['submitter', 'pause'],
    ['submitter', 'review'],
    ['submitter', 'share'],
  ]);
});
