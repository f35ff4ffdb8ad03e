import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BudgetLevel, isBudgetPath, levelsOf, levelWithoutRoom, roomMinor } from '../../domain/budget-room.js';

const level = (over: Partial<BudgetLevel>): BudgetLevel => ({
  ...{ path: 'acme', limitMinor: 1_000, committedMinor: 0, spentMinor: 0, overrunMinor: 0, currency: 'USD' },
  ...over,
});

describe('budgets', () => {
  test('a path has a level for each of its names, outermost first', () => {
    expect(levelsOf('acme/emea/spring')).toEqual(['acme', 'acme/emea', 'acme/emea/spring']);
    expect(levelsOf('acme')).toEqual(['acme']);
  });

  test.each([
    ['acme', true],
    ['acme/emea/spring-2026', true],
    ['', false],
    ['/acme', false],
    ['acme/', false],
    ['acme//emea', false],
    ['acme/../emea', false],
    ['acme/em ea', false],
  ])('"%s" is a path: %s', (path, is) => {
    expect(isBudgetPath(path)).toBe(is);
  });

  test('room is what the limit leaves beside committed, spent and overrun', () => {
    const money = fc.nat({ max: 1e9 });
    fc.assert(
      fc.property(money, money, money, money, (limitMinor, committedMinor, spentMinor, overrunMinor) => {
        const room = roomMinor(level({ limitMinor, committedMinor, spentMinor, overrunMinor }));
        expect(room + committedMinor + spentMinor + overrunMinor).toBe(limitMinor);
      }),
    );
  });

  test('the outermost level without room is the one that is named', () => {
    const levels = [level({ path: 'acme', committedMinor: 950 }), level({ path: 'acme/emea', spentMinor: 990 })];
    expect(levelWithoutRoom(levels, 50)?.path).toBe('acme/emea');
    expect(levelWithoutRoom(levels, 51)?.path).toBe('acme');
    expect(levelWithoutRoom(levels, 10)).toBeNull();
    expect(levelWithoutRoom([level({ limitMinor: 100, spentMinor: 150 })], 0)?.path).toBe('acme');
  });
});
