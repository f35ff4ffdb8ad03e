import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { aspectRatios } from '../../domain/brief.js';
import { fileSource } from '../../manifests/read-manifest.js';
import { repairedBytes } from '../../manifests/repair-manifest.js';
import { runs } from '../runs.js';
import { briefs, check, checkText, fixtures, writeManifest } from './manifest-files.js';

const prompt = 'A red shoe turns slowly';

async function repaired(path: string, options = {}): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of repairedBytes(await fileSource(path), options)) pieces.push(piece);
  return Buffer.concat(pieces);
}

describe('a repaired manifest', () => {
  test.each(['lo_saved_en-US.csv', 'lo_saved_de-DE_semicolon_cp1252.csv'])(
    '%s differs from the original in its ratios alone, byte for byte',
    async (name) => {
      const original = await readFile(fixtures + name);
      const times = [
        ['04:09:00 PM', '16:9'],
        ['09:16:00 AM', '9:16'],
        ['01:01:00 AM', '1:1'],
        ['04:05:00 AM,', '4:5,'],
        ['16:09:00', '16:9'],
        ['09:16:00', '9:16'],
        ['01:01:00', '1:1'],
        ['04:05:00;x', '4:5;x'],
      ] as const;
      let expected = original.toString('latin1');
      for (const [before, after] of times) expected = expected.replace(before, after);
      expect((await repaired(fixtures + name)).toString('latin1')).toBe(expected);
    },
  );

  test('has no repairs left, and the errors that it had', async () => {
    const bytes = await repaired(`${fixtures}lo_saved_en-US.csv`);
    const again = await checkText('again.csv', bytes);
    expect(again.repairs).toBe(0);
    expect(again.errors).toBe((await check(`${fixtures}lo_saved_en-US.csv`)).errors);
  });

  test.each([
    'bom_utf8_quoted_first_header.csv',
    'utf16le_tab_unicode_text.txt',
    'sep_line_semicolon.csv',
    'unclosed_quote.csv',
    'messy_headers.csv',
    'prompt_bounds.csv',
  ])('%s has nothing to repair and comes out as it is', async (name) => {
    expect((await repaired(fixtures + name)).equals(await readFile(fixtures + name))).toBe(true);
  });

  test('keeps quotes, sep line, mark and encoding', async () => {
    const text = (ratio: string) => `sep=;\r\nid;prompt;ratio\r\na1;"Größe; ${prompt}";"${ratio}"\r\n`;
    for (const [name, addBOM] of [
      ['utf-16le', true],
      ['utf-16be', true],
      ['windows-1252', false],
      ['utf-8', true],
    ] as const) {
      const path = await writeManifest('x.csv', iconv.encode(text('16:09'), name, { addBOM }));
      expect((await repaired(path)).equals(iconv.encode(text('16:9'), name, { addBOM })), name).toBe(true);
    }
  });

  test('takes the apostrophe away that hides a formula', async () => {
    const path = await writeManifest('x.csv', `id,prompt,note\na1,'=2+3 is a prompt start,'-5\n`);
    expect((await repaired(path)).toString()).toBe('id,prompt,note\na1,=2+3 is a prompt start,-5\n');
    expect((await check(path)).findings.map(({ code, severity }) => [severity, code])).toEqual([
      ['repair', 'apostrophe_removed'],
      ['repair', 'apostrophe_removed'],
    ]);
  });

  test('keeps the parts of a list that it cannot repair', async () => {
    const path = await writeManifest('x.csv', `id,prompt,ratio\na1,${prompt},16:09|wide|1:1\n`);
    expect((await repaired(path)).toString()).toBe(`id,prompt,ratio\na1,${prompt},16:9|wide|1:1\n`);
  });

  test('is YAML where it was YAML, comments and all', async () => {
    const text = (one: string, two: string, three: string) =>
      `# spring\nmatrix: { aspect_ratio: [${one}, "9:16"] } # both\nmovies:\n  - id: a\n    prompt: ${prompt}\n`.replace(
        'matrix',
        three === '' ? 'matrix' : 'x-off',
      ) +
      (three === ''
        ? ''
        : `  - { id: b, prompt: ${prompt} b, ratio: ${two} }\n  - id: c\n    prompt: ${prompt} c\n    ratio:\n      - ${three} # first\n      - "1:1"\n`);
    const path = await writeManifest('x.yaml', text('969', '', ''));
    expect((await repaired(path)).toString()).toBe(text('"16:9"', '', ''));
    const other = await writeManifest('x.yaml', text('969', '556', '245'));
    expect((await repaired(other)).toString()).toBe(text('969', '"9:16"', '"4:5"'));
  });

  test('of a workbook is CSV with what its cells show', async () => {
    const bytes = await repaired(`${fixtures}lo_saved_en-US.xlsx`);
    const rows = bytes.toString().split('\r\n');
    expect(rows.slice(0, 2)).toEqual([
      'id,prompt,duration,aspect_ratio,style,sku,locale,launch',
      '1,"Wide shot, dusk",8,16:9,cinematic,42,en,03/04/26',
    ]);
    expect((await checkText('again.csv', bytes)).repairs).toBe(0);
  });

  test('is refused where its encoding cannot carry it', async () => {
    const bytes = Buffer.concat([
      Buffer.from(`id,prompt,ratio\na1,${prompt} `),
      Buffer.from([0x81, 0xe9]),
      Buffer.from(',16:09\n'),
    ]);
    const path = await writeManifest('x.csv', bytes);
    await expect(repaired(path, { encoding: 'windows-1252' })).rejects.toMatchObject({
      findings: [{ code: 'lossy_encoding' }],
    });
  });

  test('gives the briefs of the original, with no repair left, whatever the damage', async () => {
    const time = fc.constantFrom(
      '16:09',
      '09:16:00',
      '1:01 AM',
      '0.170138888888889',
      '969',
      ...aspectRatios,
      '16:9|09:16',
    );
    const cell = fc.constantFrom('x', 'a;b', 'say "hi"', "'=1", 'zwei\nZeilen', '');
    const row = fc.record({ time, cell, quote: fc.boolean() });
    const shape = fc.record({ delimiter: fc.constantFrom(',', ';', '\t'), end: fc.constantFrom('\r\n', '\n') });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 6 }), shape, async (rows, { delimiter, end }) => {
        const written = (text: string, quote: boolean) =>
          quote || text.includes(delimiter) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
        const lines = rows.map(({ time: ratio, cell: own, quote }, index) =>
          [`r${index}`, `${prompt} ${index}`, ratio, own].map((text) => written(text, quote)).join(delimiter),
        );
        const path = await writeManifest(
          'x.csv',
          ['id', 'prompt', 'ratio', 'own'].join(delimiter) + end + lines.join(end),
        );
        const before = await briefs(path);
        const again = await writeManifest('x.csv', await repaired(path));
        expect((await check(again)).repairs).toBe(0);
        expect((await briefs(again)).map(({ brief, digest }) => [brief, digest])).toEqual(
          before.map(({ brief, digest }) => [brief, digest]),
        );
        expect((await repaired(again)).equals(await readFile(again))).toBe(true);
      }),
      { numRuns: runs(60) },
    );
  }, 60_000);
});
