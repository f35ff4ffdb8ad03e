import { describe, expect, test } from 'vitest';
import { type Act, type Actor, acts, mayAct, maySpend, type Role, roles } from '../../domain/roles.js';

const expected: Readonly<Record<Role, readonly Act[]>> = {
  submitter: ['submit'],
  operator: ['cancel', 'pause', 'resume', 'continue', 'retry', 'refetch', 'see_all'],
  finance: ['approve', 'reject', 'budget', 'reconcile', 'resolve', 'verify', 'see_all'],
  auditor: ['verify', 'see_all'],
  admin: ['verify', 'people', 'policy'],
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
    maySpend({ ...everything, ...over }, { act: 'approve', askedBy, rules: { solo } });

  test('who asked does not release, whatever other roles they have', () => {
    expect(ask({}, 'ana')).toMatchObject({ allowed: false });
    expect(ask({}, 'ben')).toEqual({ allowed: true, selfApproved: false });
  });

  test('who works alone does, at the terminal, and it is recorded so', () => {
    expect(ask({}, 'ana', true)).toEqual({ allowed: true, selfApproved: true });
    expect(ask({ channel: 'web' }, 'ana', true)).toMatchObject({ allowed: false });
    expect(ask({}, 'ben', true)).toEqual({ allowed: true, selfApproved: false });
  });

  test('the role counts first, also for who works alone', () => {
    expect(ask({ roles: ['submitter', 'admin'] }, 'ana', true)).toMatchObject({ allowed: false });
  });
});
