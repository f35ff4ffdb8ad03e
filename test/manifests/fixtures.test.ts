import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { briefs, check, fixtures, lines } from './manifest-files.js';

const at = (name: string) => join(fixtures, name);

describe('manifests as programs save them', () => {
  test('what was typed keeps its ids and has the faults that were typed', async () => {
    const found = await check(at('original_before_spreadsheet.csv'));
    expect(lines(found)).toEqual([
      'error duration_whole 3 3 C duration_seconds',
      'error prompt_short 4 5 B prompt',
      'error ratio_unknown 6 7 D aspect_ratio',
    ]);
    expect(found).toMatchObject({ rows: 5, briefs: 2, errors: 3, warnings: 0, repairs: 0 });
    expect(found.head.columns).toEqual([
      'id',
      'prompt',
      'duration',
      'aspect_ratio',
      'style',
      'sku',
      'locale',
      'launch',
    ]);
  });

  test.each([
    ['lo_saved_en-US.csv', ['04:09:00 PM', '09:16:00 AM', '01:01:00 AM', '04:05:00 AM']],
    ['lo_saved_de-DE_semicolon_cp1252.csv', ['16:09:00', '09:16:00', '01:01:00', '04:05:00']],
  ])('%s has its ratios repaired, each with its cell, and 21:09 refused', async (name, times) => {
    const { findings } = await check(at(name));
    const repairs = findings.filter(({ severity }) => severity === 'repair');
    expect(repairs.map(({ before }) => before)).toEqual(times);
    expect(repairs.map(({ after }) => after)).toEqual(['16:9', '9:16', '1:1', '4:5']);
    expect(repairs.map(({ row, column, code }) => [row, column, code])).toEqual(
      [2, 3, 4, 5].map((row) => [row, 'D', 'ratio_repaired']),
    );
    expect(findings.filter(({ severity }) => severity === 'error').map(({ row, code }) => [row, code])).toEqual([
      [3, 'duration_whole'],
      [4, 'prompt_short'],
      [6, 'ratio_time'],
    ]);
  });

  test('a semicolon file in Windows-1252 is read as such, and says so', async () => {
    const { head, findings } = await check(at('lo_saved_de-DE_semicolon_cp1252.csv'));
    expect(head).toMatchObject({ delimiter: ';', encoding: 'windows-1252', format: 'csv' });
    expect(findings[0]).toMatchObject({ severity: 'warning', code: 'encoding', row: null, after: 'windows-1252' });
  });

  test('UTF-8 with a byte order mark and a quoted header gives one clean brief', async () => {
    const [row, ...rest] = await briefs(at('bom_utf8_quoted_first_header.csv'));
    expect(rest).toEqual([]);
    expect(row?.brief).toEqual({
      rowKey: 'a1',
      prompt: 'A red shoe turns slowly',
      durationSeconds: 8,
      aspectRatio: '16:9',
      style: null,
      references: [],
    });
    expect(lines(await check(at('bom_utf8_quoted_first_header.csv')))).toEqual([]);
  });

  test('a Unicode text export is UTF-16 with tabs', async () => {
    const found = await check(at('utf16le_tab_unicode_text.txt'));
    expect(found.head).toMatchObject({ encoding: 'UTF-16LE', delimiter: '\t' });
    expect(found).toMatchObject({ rows: 1, briefs: 1, errors: 0 });
    expect((await briefs(at('utf16le_tab_unicode_text.txt')))[0]?.brief.prompt).toBe('Café at dusk, slow pan');
  });

  test('curly quotes and accents of Windows-1252 are right', async () => {
    const [row] = await briefs(at('cp1252_smart_quotes.csv'));
    expect(row?.brief.prompt).toBe('“Hello” she said – d’expertise €5');
    expect((await check(at('cp1252_smart_quotes.csv'))).head.encoding).toBe('windows-1252');
  });

  test('a sep= line is no row', async () => {
    const found = await check(at('sep_line_semicolon.csv'));
    expect(found).toMatchObject({ rows: 1, briefs: 1, findings: [] });
    expect((await briefs(at('sep_line_semicolon.csv')))[0]).toMatchObject({ row: 2, line: 3 });
  });

  test('two columns for one field are an error, blank rows are skipped', async () => {
    const found = await check(at('messy_headers.csv'));
    expect(lines(found)).toEqual(['error duplicate_field 1 1 E aspect_ratio']);
    expect(found.rows).toBe(1);
  });

  test('ratios that became integers are repaired in YAML', async () => {
    const found = await check(at('ratios_yaml_numbers.yaml'));
    expect(found.findings.map(({ before, after, row, line }) => [row, line, before, after])).toEqual([
      [1, 2, '969', '16:9'],
      [2, 3, '556', '9:16'],
      [3, 4, '61', '1:1'],
      [4, 5, '245', '4:5'],
    ]);
    expect(found).toMatchObject({ rows: 4, briefs: 4, errors: 0, repairs: 4 });
  });

  test('an unclosed quote is one error, where it opened', async () => {
    const found = await check(at('unclosed_quote.csv'));
    expect(lines(found)).toEqual(['error open_quote 2 2 B prompt']);
    expect(found.briefs).toBe(0);
  });

  test('a line break inside a cell is kept and counts as a line, not as a row', async () => {
    const rows = await briefs(at('multiline_prompt_lf_in_crlf_file.csv'));
    expect(rows.map(({ brief, row, line }) => [brief.prompt, row, line])).toEqual([
      ['Line one\nLine two, with "quotes"', 2, 2],
      ['plain prompt here', 3, 4],
    ]);
  });

  test('twenty spellings of a length', async () => {
    const { findings } = await check(at('durations.csv'));
    expect(findings.filter(({ severity }) => severity === 'error').map(({ before, code }) => [before, code])).toEqual([
      ['4.999', 'duration_ambiguous'],
      ['120.5', 'duration_whole'],
      ['7,5', 'duration_whole'],
      ['1.000', 'duration_ambiguous'],
      ['1,000', 'duration_ambiguous'],
      ['0,75', 'duration_whole'],
      ['-8', 'duration_range'],
      ['NaN', 'duration_form'],
      ['1e1', 'duration_form'],
    ]);
  });

  test('lengths of prompts count characters, not UTF-16 units', async () => {
    const { findings, briefs: count } = await check(at('prompt_bounds.csv'));
    expect(findings.map(({ row, code }) => [row, code])).toEqual([
      [2, 'prompt_short'],
      [5, 'prompt_long'],
      [7, 'prompt_missing'],
    ]);
    expect(count).toBe(3);
  });

  test('every duplicate names both rows', async () => {
    const { findings } = await check(at('duplicate_ids_and_rows.csv'));
    const duplicates = findings.filter(({ code }) => code === 'id_duplicate');
    expect(duplicates.map(({ row }) => row)).toEqual([3, 5]);
    for (const { message } of duplicates) expect(message).toContain('row 2');
    expect(findings.find(({ code }) => code === 'same_content')).toMatchObject({ severity: 'warning', row: 4 });
  });

  test('prompts that look like formulas are text as it stands', async () => {
    const rows = await briefs(at('formula_prompts.csv'));
    expect(rows.map(({ brief }) => brief.prompt.slice(0, 4))).toEqual(['=2+3', '-clo', '+50%', '@bra', '=HYP']);
  });
});
