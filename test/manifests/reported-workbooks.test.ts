import { describe, expect, test } from 'vitest';
import { briefs, briefsOf, check, checkText, lines } from './manifest-files.js';
import { rowXml, workbookParts, zipOf } from './workbook.js';

/** Workbooks as programs write them that another reader fell over. */
const reports = new URL('../fixtures/reports/', import.meta.url).pathname;
const prompt = 'A runner crosses the bridge at dawn';

const sheet = (rows: string, after = '', formats: readonly string[] = []) =>
  zipOf(workbookParts([{ name: 'M', rows, after }], formats));

describe('rows that nobody sees', () => {
  const hidden = (attributes: string) =>
    sheet(
      rowXml(1, ['id', 'prompt']) +
        rowXml(2, ['a', prompt]) +
        rowXml(3, ['b', `${prompt} 2`]).replace('<row ', `<row ${attributes} `),
    );

  test.each(['in.xlsx', 'filter.xlsx'])('are errors by row until somebody says: %s', async (name) => {
    const path = `${reports}03-xlsx-hidden-rows/${name}`;
    const rows = name === 'in.xlsx' ? [3, 4] : [3];
    expect(lines(await check(path))).toEqual(rows.map((row) => `error hidden_row ${row} - - -`));
    const ordered = await check(path, { hiddenRows: 'order' });
    expect(ordered).toMatchObject({ errors: 0, warnings: rows.length, briefs: 2 + rows.length });
    const left = await check(path, { hiddenRows: 'leave' });
    expect(left).toMatchObject({ errors: 0, warnings: rows.length, briefs: 2, rows: 2 });
    expect(left.findings[0]).toMatchObject({ row: 3, code: 'hidden_row' });
    expect((await briefs(path, { hiddenRows: 'leave' })).map(({ brief }) => brief.rowKey)).toEqual(['a', 'd']);
  });

  test.each(['hidden="1"', 'hidden="true"', 'hidden="1" outlineLevel="1"', 'ht="0" customHeight="1"'])(
    'are those of %s',
    async (attributes) => {
      expect(lines(await checkText('x.xlsx', hidden(attributes)))).toEqual(['error hidden_row 3 - - -']);
    },
  );

  test('are no others', async () => {
    for (const attributes of ['hidden="0"', 'hidden="false"', 'ht="15"', 'outlineLevel="1"', 'collapsed="1"']) {
      expect(lines(await checkText('x.xlsx', hidden(attributes)))).toEqual([]);
    }
    const blank = sheet(`${rowXml(1, ['id', 'prompt']) + rowXml(2, ['a', prompt])}<row r="3" hidden="1"/>`);
    expect(lines(await checkText('x.xlsx', blank))).toEqual([]);
  });

  test('columns and sheets that are hidden and read are said', async () => {
    const rows = rowXml(1, ['id', 'prompt', 'style', 'note']) + rowXml(2, ['a', prompt, 'noir', 'x']);
    const parts = workbookParts([
      { name: 'Seen', rows },
      { name: 'Old', rows, state: 'hidden' },
    ]).map((part) => ({
      ...part,
      content: part.content
        .toString()
        .replace('<sheetData>', '<cols><col min="3" max="4" hidden="1"/></cols><sheetData>'),
    }));
    expect(lines(await checkText('x.xlsx', zipOf(parts)))).toEqual(['warning hidden_column 1 - C style']);
    expect(lines(await checkText('x.xlsx', zipOf(parts), { sheet: 'Old' }))).toEqual([
      'warning hidden_sheet - - - -',
      'warning hidden_column 1 - C style',
    ]);
  });
});

describe('what a person sees in a cell', () => {
  test.each([
    ['f1904.xlsx', 'Sale ends 2023-09-01 at the bridge, dawn'],
    ['f1904_true.xlsx', 'Sale ends 2023-09-01 at the bridge, dawn'],
    ['numbers_format59.xlsx', 'Sale ends 12/9/2025 at the bridge, dawn'],
  ])('is a date: %s', async (name, text) => {
    const [row] = await briefs(`${reports}46-xlsx-1904-true-and-low-format-ids/${name}`);
    expect(row?.brief.prompt).toBe(text);
  });

  test.each(['in.xlsx', 'negative.xlsx'])('a date that no calendar has is said at its cell: %s', async (name) => {
    const path = `${reports}37-xlsx-impossible-date/${name}`;
    expect(lines(await check(path))).toEqual(['warning impossible_date 2 - E start']);
    expect((await briefs(path)).length).toBe(2);
  });

  test('a text is never filled in from a cell that has failed', async () => {
    const cells = ['a', 'Sale ends {{start}} at the bridge', '<c s="1"><v>1e12</v></c>', '<c t="e"><v>#N/A</v></c>'];
    const rows = rowXml(1, ['id', 'prompt', 'start', 'price']) + rowXml(2, cells);
    const found = await checkText('x.xlsx', sheet(rows, '', ['yyyy-mm-dd']));
    expect(lines(found)).toEqual([
      'error template_unusable 2 - B prompt',
      'warning impossible_date 2 - C start',
      'warning error_cell 2 - D price',
    ]);
  });

  test('times and days that a Strict workbook writes as text', async () => {
    const [row] = await briefs(`${reports}38-xlsx-strict-times/in.xlsx`);
    expect(row?.brief.aspectRatio).toBe('16:9');
    expect(row?.cells[4]).toBe('2026-11-28');
  });

  test('a ratio that became a time is known under any format', async () => {
    const cell = '<c s="1"><v>0.672916666666667</v></c>';
    for (const format of ['mm:ss', 'h AM/PM', 'd/m/yyyy', 'h:mm:ss AM/PM', '[h]:mm']) {
      const rows = rowXml(1, ['id', 'prompt', 'aspect_ratio']) + rowXml(2, ['a', prompt, cell]);
      const [row] = await briefsOf('x.xlsx', sheet(rows, '', [format]));
      expect(row?.brief.aspectRatio, format).toBe('16:9');
    }
  });

  test('numbers as ids, and a sum that is 8 but for the last bit', async () => {
    const found = await check(`${reports}41-xlsx-numbers-as-ids/in.xlsx`);
    expect(lines(found).filter((line) => / (?:duration|C) /.test(line))).toEqual([]);
    const rows =
      rowXml(1, ['id', 'prompt', 'duration', 'note']) +
      rowXml(2, [
        '<c><v>1234567890123456</v></c>',
        prompt,
        '<c><v>8.0000000000000018</v></c>',
        '<c><v>0.30000000000000004</v></c>',
      ]);
    const [row] = await briefsOf('x.xlsx', sheet(rows));
    expect(row?.brief).toMatchObject({ rowKey: '1234567890123456', durationSeconds: 8 });
    expect(row?.cells[3]).toBe('0.3');
  });

  test('a failed formula in a column that is not sent is a warning', async () => {
    expect(lines(await check(`${reports}40-xlsx-hyperlinks-comments-errors/in.xlsx`))).toEqual([
      'warning formula 2 - E reference_1',
      'warning link_target 2 - E reference_1',
      'warning reference_role_default 2 - E reference_1',
      'warning error_cell 2 - F price',
      'warning formula 3 - B prompt',
      'warning formula 3 - C duration_seconds',
      'warning formula_empty 3 - F price',
      'error error_cell 4 - B prompt',
      'error prompt_short 4 - B prompt',
      'error prompt_missing 5 - B prompt',
    ]);
  });

  test('signs that XML cannot have, readings beside a text, texts of several runs', async () => {
    const rich =
      '<c t="inlineStr"><is><r><t>A runner _x005F_x000D_ </t></r><r><t>at dawn</t></r><rPh sb="0" eb="1"><t>ran</t></rPh></is></c>';
    const rows = rowXml(1, ['id', 'prompt', 'note']) + rowXml(2, ['a', rich, '<c t="str"><v>a_x000D_b</v></c>']);
    const [row] = await briefsOf('x.xlsx', sheet(rows));
    expect(row?.brief.prompt).toBe('A runner _x000D_ at dawn');
    expect(row?.cells[2]).toBe('a\rb');
  });
});

describe('packages and addresses', () => {
  test.each(['absolute_targets.xlsx', 'case_shared.xlsx', 'no_cell_refs.xlsx', 'strict.xlsx', 't_str_d_b.xlsx'])(
    '%s is read',
    async (name) => {
      const rows = await briefs(`${reports}05-xlsx-strict-and-odd-packages/${name}`);
      expect(rows[0]?.brief).toMatchObject({ rowKey: 'a', durationSeconds: 8, aspectRatio: '16:9' });
      expect(rows[0]?.brief.prompt).toMatch(/^A .*\w{4}/);
    },
  );

  test('lower case, repeated, out of order, some without an address', async () => {
    const text = (value: string, address = '') =>
      `<c${address && ` r="${address}"`} t="inlineStr"><is><t>${value}</t></is></c>`;
    const rows = `<row r="1">${text('prompt', 'b1')}${text('id', 'a1')}${text('note', '$C$1')}</row>
      <row r="3">${text('late', 'A3')}${text(`${prompt} 2`)}${text('x')}</row>
      <row r="2">${text('wrong', 'A2')}${text('first', 'A2')}${text(prompt)}</row>`;
    const found = await briefsOf('x.xlsx', sheet(rows));
    expect(found.map(({ brief, row }) => [brief.rowKey, brief.prompt, row])).toEqual([
      ['first', prompt, 2],
      ['late', `${prompt} 2`, 3],
    ]);
  });

  test('backslashes in names, another name for the workbook, parts in other cases', async () => {
    const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
    const rows = rowXml(1, ['id', 'prompt']) + rowXml(2, ['a', '<c t="s"><v>0</v></c>']);
    const relation = (type: string, target: string, id: string) =>
      `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`;
    const bytes = zipOf([
      {
        name: '_rels\\.rels',
        content: `<Relationships>${relation('officeDocument', '/Book/Main.xml', 'r')}</Relationships>`,
      },
      {
        name: 'book\\main.xml',
        content: '<x:workbook xmlns:x="m" xmlns:q="o"><x:sheets><x:sheet name="S" q:id="s1"/></x:sheets></x:workbook>',
      },
      {
        name: 'book\\_rels\\main.xml.rels',
        content: `<Relationships>${relation('worksheet', '../Sheets/One.xml', 's1')}${relation('sharedStrings', 'Texts.XML', 's2')}</Relationships>`,
      },
      { name: 'book\\texts.xml', content: `<sst><si><t>${prompt}</t></si></sst>` },
      { name: 'sheets\\one.xml', content: `<worksheet><sheetData>${rows}</sheetData></worksheet>` },
    ]);
    const [row] = await briefsOf('x.xlsx', bytes);
    expect(row?.brief).toMatchObject({ rowKey: 'a', prompt });
  });

  test('a shared text that is not there is said at its cell', async () => {
    const rows = rowXml(1, ['id', 'prompt']) + rowXml(2, ['a', '<c t="s"><v>7</v></c>']);
    expect(lines(await checkText('x.xlsx', sheet(rows)))).toContain('error text_missing 2 - B prompt');
  });
});
