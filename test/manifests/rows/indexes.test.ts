import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ContentIndex } from '../../../manifests/rows/content-index.js';
import { EntrySlots, Partitions, withRoom } from '../../../manifests/rows/entry-slots.js';
import { RowKeyIndex } from '../../../manifests/rows/row-key-index.js';
import { slugOf } from '../../../manifests/rows/row-key.js';
import { createFindingLog } from '../../../sheets/findings/finding-log.js';

describe('RowKeyIndex', () => {
  test('tells every id that was there before, case aside, as a map would', () => {
    const key = fc.stringMatching(/^[a-cA-C0-2._-]{1,4}$/);
    fc.assert(
      fc.property(fc.array(key, { maxLength: 200 }), (keys) => {
        const index = new RowKeyIndex();
        const map = new Map<string, { key: string; row: number; line: number | null }>();
        for (const [row, one] of keys.entries()) {
          const line = row % 3 === 0 ? null : row + 10;
          const before = map.get(one.toLowerCase()) ?? null;
          expect(index.add({ key: one, row: row + 2, line })).toEqual(before);
          if (before === null) map.set(one.toLowerCase(), { key: one, row: row + 2, line });
        }
      }),
    );
  });

  test('keeps every place over its growth', () => {
    const index = new RowKeyIndex();
    for (let row = 0; row < 20_000; row += 1) expect(index.add({ key: `row-${row}`, row, line: row + 1 })).toBeNull();
    for (let row = 0; row < 20_000; row += 97) {
      expect(index.add({ key: `ROW-${row}`, row: 1, line: 1 })).toEqual({ key: `row-${row}`, row, line: row + 1 });
    }
  });
});

describe('ContentIndex', () => {
  test('tells the row that had a content first, over its growth', () => {
    const index = new ContentIndex();
    const digest = (n: number) => createHash('sha256').update(String(n)).digest('hex');
    for (let n = 0; n < 10_000; n += 1) expect(index.add(digest(n), n + 2)).toBeNull();
    for (let n = 0; n < 10_000; n += 31) expect(index.add(digest(n), 1)).toBe(n + 2);
  });
});

describe('EntrySlots', () => {
  // More than two bytes can number.
  const entries = 70_000;
  const hashOf = (entry: number) => (Math.imul(entry, 0x9e3779b1) >>> 16) | 0;

  test('finds each of very many entries among those of the same hash, and no other', () => {
    const slots = new EntrySlots(hashOf);
    for (let entry = 0; entry < entries; entry += 1) {
      expect(slots.count).toBe(entry);
      slots.add(hashOf(entry));
    }
    for (let entry = 0; entry < entries; entry += 11) {
      expect(slots.find(hashOf(entry), (one) => one === entry)).toBe(entry);
    }
    expect(slots.find(hashOf(3), () => false)).toBe(-1);
  });
});

describe('Partitions', () => {
  test('gives the same partition for the same upper bits, another for others', () => {
    const partitions = new Partitions(() => ({}));
    expect(partitions.of(0xff000001)).toBe(partitions.of(0xff123456));
    expect(partitions.of(0xff000001)).not.toBe(partitions.of(0x00000001));
  });
});

test('withRoom lengthens a full list alone, and keeps what it holds', () => {
  const list = Uint32Array.from([1, 2, 3]);
  expect(withRoom(list, 2)).toBe(list);
  expect([...withRoom(list, 3)]).toEqual([1, 2, 3, 0]);
});

describe('createFindingLog', () => {
  const finding = (severity: 'error' | 'repair', row: number) =>
    ({
      severity,
      code: 'x',
      row,
      line: row,
      column: 'C',
      field: 'f',
      message: 'm',
      before: null,
      after: null,
    }) as const;

  test('counts all, keeps so many of each severity, and says what it did not keep', () => {
    const log = createFindingLog(3);
    for (let row = 1; row <= 10; row += 1) log.add(finding('repair', row));
    log.add(finding('error', 11));
    expect(log.counts).toEqual({ error: 1, warning: 0, repair: 10 });
    expect(log.findings.map(({ row }) => row)).toEqual([1, 2, 3, 11]);
    expect(log.omitted).toEqual([{ severity: 'repair', code: 'x', column: 'C', field: 'f', count: 7 }]);
  });
});

describe('slugOf', () => {
  test.each([
    ['de', 'de'],
    ['DE', 'de'],
    ['Île-de-France', 'ile-de-france'],
    ['  New York / NY ', 'new-york-ny'],
    ['v1.2_x', 'v1.2_x'],
    ['日本', ''],
    ['--', ''],
  ])('%j is %j', (value, slug) => {
    expect(slugOf(value)).toBe(slug);
  });
});
