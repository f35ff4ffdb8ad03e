import { describe, expect, test } from 'vitest';
import { type ArchiveMark, whyNotToOrder } from '../../domain/ledger-mark.js';

const studio = { name: 'studio', baseUrl: 'embedded', rehearsal: true };
const real = { name: 'movies.example', baseUrl: 'https://movies.example/v1', rehearsal: false };
const own = { ledgerId: 'ours', sequence: 10, sends: 4 };

function mark(over: Partial<ArchiveMark>): ArchiveMark {
  return { ...own, service: { name: real.name, baseUrl: real.baseUrl }, ...over };
}

describe('a ledger beside its archive', () => {
  test.each([
    ['an archive without marks', [], null],
    ['its own mark', [mark({})], null],
    ['an earlier mark', [mark({ sequence: 3 })], null],
    ['a later mark', [mark({ sequence: 11 })], 'ahead of this ledger by 1 entry'],
    [
      'a later mark among earlier ones',
      [mark({ sequence: 3 }), mark({ sequence: 17 })],
      'ahead of this ledger by 7 entries',
    ],
    [
      'a mark of before the sends were counted',
      [{ ledgerId: 'ours', sequence: 3, service: { name: real.name, baseUrl: real.baseUrl } }],
      null,
    ],
    ['a mark of as many orders and one more send', [mark({ sends: 5 })], 'ahead of this ledger by 1 send:'],
    [
      'a mark of more orders and more sends',
      [mark({ sequence: 12, sends: 4 }), mark({ sends: 7 })],
      'ahead of this ledger by 2 entries and 3 sends:',
    ],
    [
      "another ledger's mark",
      [mark({ ledgerId: 'theirs', sequence: 1 })],
      'another ledger ordered from movies.example',
    ],
    ["another ledger's mark for another service", [mark({ ledgerId: 'theirs', service: studio })], null],
    [
      'the same address by another name, and the same name at another address',
      [
        mark({ ledgerId: 'theirs', service: { name: 'other', baseUrl: real.baseUrl } }),
        mark({ ledgerId: 'theirs', service: { name: real.name, baseUrl: 'https://other.example/v1' } }),
      ],
      null,
    ],
  ])('%s', (_what, marks, words) => {
    const why = whyNotToOrder(own, marks, real);
    if (words === null) expect(why).toBeNull();
    else expect(why).toContain(words);
  });

  test("another home's rehearsal in the same folder is nothing to it, its own later one is", () => {
    expect(whyNotToOrder(own, [mark({ ledgerId: 'theirs', service: studio, sequence: 99 })], studio)).toBeNull();
    expect(whyNotToOrder(own, [mark({ service: studio, sequence: 99 })], studio)).toContain('by 89 entries');
  });
});
