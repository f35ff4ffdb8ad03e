import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { FaceFinder, hanStyleOf } from '../../../../studio/render/text/face-finder.js';
import { FontCase } from '../../../../studio/render/text/font-case.js';
import { readCoverage } from '../../../../studio/render/text/woff2-coverage.js';
import { scriptSamples } from './script-samples.js';

const voices = ['grotesk', 'poster', 'fine', 'plain', 'label'] as const;

describe('fonts', () => {
  test.each(Object.entries(scriptSamples))('have every glyph of %s in every voice', (_, text) => {
    const fonts = new FaceFinder(hanStyleOf(text));
    for (const voice of voices) expect(fonts.missing(text, voice), voice).toEqual([]);
  });

  test('name what they cannot draw, each character once', () => {
    const fonts = new FaceFinder('sc');
    expect(fonts.missing('ᮘᮞ hello ᮘᮞ', 'plain')).toEqual(['ᮘ', 'ᮞ']);
    expect(fonts.missing('\u{e000}a\u{10fffd}', 'plain')).toEqual(['\u{e000}', '\u{10fffd}']);
  });

  test('spaces, joiners and direction marks need no glyph', () => {
    expect(new FaceFinder('sc').missing('a b\u00a0c\u200dd\u200fe\ufe0f\n', 'plain')).toEqual([]);
  });

  test('only those that a text needs are asked for', () => {
    const fonts = new FontCase('jp');
    const familiesOf = (text: string) => fonts.fontFor(text, 'plain').families;
    expect(familiesOf('Plain words')).toBe('"inter-latin-wght-normal"');
    expect(familiesOf('Слово')).toBe('"inter-latin-wght-normal", "inter-cyrillic-wght-normal"');
    expect(familiesOf('海')).toMatch(/^"inter-latin-wght-normal", "noto-sans-jp-\d+-wght-normal"$/);
  });

  test('a thin voice is thin in Latin only', () => {
    const fonts = new FontCase('sc');
    expect(['sea', 'بحر', '海'].map((text) => fonts.fontFor(text, 'fine').weight)).toEqual([300, 400, 400]);
    expect(fonts.fontFor('海', 'poster').weight).toBe(900);
  });

  test('Han characters are drawn as the language around them does', () => {
    expect([hanStyleOf('海'), hanStyleOf('海の'), hanStyleOf('海 바다'), hanStyleOf('sea')]).toEqual([
      'sc',
      'jp',
      'kr',
      'sc',
    ]);
  });
});

test('coverage is read from the font, beyond the first plane too', () => {
  const folder = createRequire(import.meta.url).resolve('@fontsource/noto-color-emoji/package.json');
  const file = readFileSync(folder.replace('package.json', 'files/noto-color-emoji-emoji-400-normal.woff2'));
  const coverage = readCoverage(file);
  expect([0x1f680, 0x2615, 0x1f1eb].map((code) => coverage.has(code))).toEqual([true, true, true]);
  expect([0x41, 0x4e00].map((code) => coverage.has(code))).toEqual([false, false]);
});
