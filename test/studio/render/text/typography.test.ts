import { expect, test } from 'vitest';
import { typographic } from '../../../../studio/render/text/typography.js';

test.each([
  ['She says "now" and "go".', 'She says “now” and “go”.'],
  ['"Now," he said, "or never"', '“Now,” he said, “or never”'],
  ['("quoted")', '(“quoted”)'],
  ["don't, it's, the cats' bowl", 'don’t, it’s, the cats’ bowl'],
  ["'Later', she said", '‘Later’, she said'],
  ["the '90s, rock 'n' roll, 'tis", 'the ’90s, rock ’n’ roll, ’tis'],
  ['a 5" screen, 6\'2" tall', 'a 5″ screen, 6′2″ tall'],
  ['"Route 66"', '“Route 66”'],
  ['Wait... now -- go - on', 'Wait… now — go – on'],
  ['10-15 state-of-the-art', '10-15 state-of-the-art'],
  ['⅓ of it', '1⁄3 of it'],
  ['צה"ל בע"מ', 'צה"ל בע"מ'],
  ['“already” ‘right’ «là»', '“already” ‘right’ «là»'],
])('%s is printed as %s', (typed, printed) => {
  expect(typographic(typed)).toBe(printed);
});
