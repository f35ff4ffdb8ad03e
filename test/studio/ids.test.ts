import { expect, test } from 'vitest';
import { MovieId } from '../../api/contract.js';
import { newId } from '../../studio/ids.js';

test('ids are of the form that the interface gives them, and none comes twice', () => {
  const ids = Array.from({ length: 5_000 }, () => newId('movie'));
  for (const id of ids) {
    expect(MovieId.safeParse(id).success).toBe(true);
    expect(id).toHaveLength('movie_'.length + 20);
  }
  expect(new Set(ids).size).toBe(ids.length);
});

test('every letter and digit is as likely as any other, at every place', () => {
  const drawn = Array.from({ length: 6_200 }, () => newId('ref').slice('ref_'.length));
  for (const place of [0, 10, 19]) {
    const counts = new Map<string, number>();
    for (const id of drawn) counts.set(id.charAt(place), (counts.get(id.charAt(place)) ?? 0) + 1);
    expect(counts.size).toBe(62);
    // 100 each on average, ten from it at one standard deviation: eight of them do not happen by chance.
    for (const [letter, count] of counts) expect(Math.abs(count - 100), letter).toBeLessThan(80);
  }
});
