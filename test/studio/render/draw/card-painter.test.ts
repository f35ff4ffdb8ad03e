import { describe, expect, test } from 'vitest';
import { nameIn, slotsFor } from '../../../../studio/render/draw/card-painter.js';

describe('nameIn', () => {
  test.each([
    ['Mara, a young baker', 'Mara'],
    ['Mara Voss', 'Mara Voss'],
    ['Mara — the founder', 'Mara'],
    ['美咲、パン屋の店主', '美咲'],
    ['مريم، الخبازة', 'مريم'],
    ['The young woman who is called Mara Voss by all her friends', 'Mara Voss'],
    ['use this picture for the main character in all of the scenes please', null],
    ['', null],
    [null, null],
  ])('of %j is %j', (description, name) => {
    expect(nameIn(description)).toBe(name);
  });
});

describe('slotsFor', () => {
  const box = { x: 100, y: 50, width: 400, height: 400 };

  test('upright pictures stand side by side, wide ones on top of each other', () => {
    const [upright, wide] = [slotsFor([0.4, 0.5], { box, gap: 20 }), slotsFor([2, 2.2], { box, gap: 20 })];
    expect(upright.map(({ width }) => width)).toEqual([190, 190]);
    expect(wide.map(({ height }) => height)).toEqual([190, 190]);
  });

  test.each([1, 2, 3, 4, 5, 7, 10, 20])('%d slots stay inside the box and apart from each other', (count) => {
    const slots = slotsFor(
      Array.from({ length: count }, (_, index) => 0.5 + (index % 3)),
      { box, gap: 10 },
    );
    expect(slots).toHaveLength(count);
    for (const [index, one] of slots.entries()) {
      expect(one.x).toBeGreaterThanOrEqual(box.x - 1e-6);
      expect(one.x + one.width).toBeLessThanOrEqual(box.x + box.width + 1e-6);
      expect(one.y + one.height).toBeLessThanOrEqual(box.y + box.height + 1e-6);
      for (const other of slots.slice(index + 1)) {
        const apart =
          one.x + one.width <= other.x + 1e-6 ||
          other.x + other.width <= one.x + 1e-6 ||
          one.y + one.height <= other.y + 1e-6;
        expect(apart).toBe(true);
      }
    }
  });
});
