import { describe, expect, test } from 'vitest';
import { check, checkText, lines } from './manifest-files.js';

const reports = new URL('../fixtures/reports/36-yaml-editor-damage/', import.meta.url).pathname;

describe('YAML that editors and habits damage', () => {
  test('a text that ends at a # is said at its place, and is not ordered', async () => {
    const found = await check(`${reports}hash.yaml`);
    expect(lines(found)).toEqual([
      'error cut_text 1 3 - prompt',
      'error cut_text 2 5 - prompt',
      'error prompt_short 2 5 - prompt',
    ]);
    expect(found.findings[0]).toMatchObject({
      before: '#wide shot, slow',
      excerpt: { text: '    prompt: Bridge at dawn #wide shot, slow', from: 27, to: 43 },
    });
  });

  test.each([
    ['prompt: A runner crosses the bridge # for Anna', 'warning cut_text 1 3 - prompt'],
    ['prompt: "A runner crosses" #1 of the city', 'error cut_text 1 3 - prompt'],
    ['prompt: A runner crosses the bridge\n    style: noir #2', 'error cut_text 1 4 - style'],
    ['prompt: A runner crosses the bridge\n    tag: a #b', 'warning cut_text 1 4 - tag'],
    ['prompt: A runner crosses the bridge\n    duration: 8 #seconds', 'warning cut_text 1 4 - duration'],
  ])('%j', async (text, line) => {
    expect(lines(await checkText('x.yaml', `movies:\n  - id: a\n    ${text}\n`))).toEqual([line]);
  });

  test('in defaults it is said as well, once', async () => {
    const text = 'defaults:\n  style: noir #2\nmovies:\n  - id: a\n    prompt: A runner crosses the bridge\n';
    expect(lines(await checkText('x.yaml', text))).toEqual(['error cut_text - 2 - defaults.style']);
  });

  test.each([
    'prompt: A runner crosses the bridge#3 at dawn',
    'prompt: "A runner crosses #3 at dawn"',
    'prompt: |\n      A runner #3 crosses # the bridge',
    'prompt: A runner crosses the bridge\n    # a line of its own\n    duration: 8 # seconds',
  ])('nothing is cut from %j', async (text) => {
    expect(lines(await checkText('x.yaml', `movies:\n  - id: a\n    ${text}\n`))).toEqual([]);
  });

  test.each([
    ['nbsp.yaml', ['error odd_blank - 3 - -'], 'a no-break space (U+00A0)'],
    ['emspace.yaml', ['error odd_blank - 2 - -', 'error odd_blank - 3 - -'], 'an em space (U+2003)'],
    ['inner_quotes.yaml', ['error yaml_fault - 3 - -'], 'put the whole text in single quotes'],
  ])('%s says what to do', async (name, expected, message) => {
    const found = await check(`${reports}${name}`);
    expect(lines(found)).toEqual(expected);
    expect(found.findings[0]?.message).toContain(message);
  });

  test('a fault elsewhere is not laid on the blanks of a text', async () => {
    const text =
      'movies:\n  - id: a\n    prompt: |\n      一行目\n      \u3000二行目\n  - id: b\n    note: x\n    prompt: a: b\n';
    expect(lines(await checkText('x.yaml', text))).toEqual(['error yaml_fault - 8 - -']);
  });

  test('curly quotes are no quotes', async () => {
    const found = await checkText('x.yaml', 'movies:\n  - id: a\n    prompt: “He said: go” and ran\n');
    expect(found.findings[0]?.message).toContain('curly quotes do not count as quotes');
  });
});
