import { expect } from 'vitest';
import type { Environment, Home } from './home.js';

/** Who submits does not approve. A budget for the campaign of `sheet.csv` is set. */
export async function peopleOf(home: Home, env: Environment): Promise<Readonly<Record<'ana' | 'fin', Environment>>> {
  const add = async (name: string, roles: readonly string[], as: Environment = {}) => {
    const flags = roles.flatMap((role) => ['--role', role]);
    const added = await home.run(['people', 'add', name, ...flags], { ...env, ...as });
    expect(added.code, added.stderr).toBe(0);
    return { GREENLIGHT_TOKEN: added.stdout.trim() };
  };
  const fin = await add('fin', ['admin', 'finance']);
  const ana = await add('ana', ['submitter'], fin);
  const budget = await home.run(['budget', 'set', 'sheet', '50000USD'], { ...env, ...fin });
  expect(budget.code, budget.stderr).toBe(0);
  return { ana, fin };
}
