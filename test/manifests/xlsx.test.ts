import { writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import writeWorkbook from 'write-excel-file/node';
import { briefs, briefsOf, check, checkText, fixtures, lines, writeManifest } from './manifest-files.js';
import { rowXml, workbookParts, zipOf } from './workbook.js';

const prompt = 'A red shoe turns slowly';
const header = ['id', 'prompt', 'duration', 'aspect_ratio', 'note'];

function sheet(rows: readonly (readonly string[])[], formats: readonly string[] = [], after = ''): Buffer {
  const xml = [header, ...rows].map((cells, index) => rowXml(index + 1, cells)).join('');
  return zipOf(workbookParts([{ name: 'Movies', rows: xml, after }], formats));
}

const number = (value: number | string, style = 0) => `<c s="${style}"><v>${value}</v></c>`;

describe('a workbook', () => {
  test('as LibreOffice saves it: ratios repaired, 21:09 refused, a formula said', async () => {
    const found = await check(`${fixtures}lo_saved_en-US.xlsx`);
    expect(lines(found)).toEqual([
      'repair ratio_repaired 2 - D aspect_ratio',
      'error duration_whole 3 - C duration_seconds',
      'repair ratio_repaired 3 - D aspect_ratio',
      'warning formula 4 - B prompt',
      'error prompt_short 4 - B prompt',
      'repair ratio_repaired 4 - D aspect_ratio',
      'repair ratio_repaired 5 - D aspect_ratio',
      'error ratio_time 6 - D aspect_ratio',
    ]);
    expect(found.head).toMatchObject({ format: 'xlsx', encoding: null, campaign: 'lo_saved_en-US' });
    expect(found).toMatchObject({ rows: 5, briefs: 2 });
  });

  test('gives what a person sees in its cells', async () => {
    const bytes = sheet(
      [
        [number(7, 1), prompt, number(8, 2), number(0.672916666666667, 3), '<c t="b"><v>1</v></c>'],
        [number(8, 1), `${prompt} b`, number('3.4722222222222220E-4', 4), '1:1', number(46085, 5)],
        [number(9, 1), `${prompt} c`, number('5.5555555555555558E-3', 6), '4:5', number(46085.5, 5)],
        [number(10, 1), `${prompt} d`, number(12), '', number(0.1)],
      ],
      ['000', '0&quot; s&quot;', 'h:mm', 'h:mm:ss', 'yyyy\\-mm\\-dd', 'h:mm'],
    );
    const rows = await briefsOf('x.xlsx', bytes);
    expect(rows.map(({ brief, cells }) => [brief.rowKey, brief.durationSeconds, brief.aspectRatio, cells[4]])).toEqual([
      ['007', 8, '16:9', 'TRUE'],
      ['008', 30, '1:1', '2026-03-04'],
      ['009', 8, '4:5', '2026-03-04'],
      ['010', 12, null, '0.1'],
    ]);
  });

  test('formulas: a value is used and said, a missing one and an error are errors, an empty one is nothing', async () => {
    const bytes = sheet([
      ['a1', `<c t="str"><f>A1</f><v>${prompt}</v></c>`, number(8), '', ''],
      ['a2', `${prompt} b`, '<c><f>1+1</f></c>', '', ''],
      ['a3', `${prompt} c`, number(8), '', '<c t="e"><f>1/0</f><v>#DIV/0!</v></c>'],
      ['<c t="str"><f>""</f><v></v></c>', '<c t="str"><f>""</f><v></v></c>', '', '', ''],
    ]);
    const found = await checkText('x.xlsx', bytes);
    expect(lines(found)).toEqual([
      'warning formula 2 - B prompt',
      'error formula_empty 3 - C duration_seconds',
      'warning error_cell 4 - E note',
    ]);
    expect(found).toMatchObject({ rows: 3, briefs: 2 });
  });

  test('a text that begins with = is a text', async () => {
    const [row] = await briefsOf('x.xlsx', sheet([['a1', '=2+3 is a prompt', '', '', '']]));
    expect(row?.brief.prompt).toBe('=2+3 is a prompt');
  });

  test('blank rows keep the numbering, and rows may be left out of the file', async () => {
    const xml =
      rowXml(3, header) + rowXml(7, ['a1', prompt, '', '', '']) + rowXml(9, ['a2', `${prompt} b`, '', '', '']);
    const rows = await briefsOf('x.xlsx', zipOf(workbookParts([{ name: 'M', rows: xml }])));
    expect(rows.map(({ row, line }) => [row, line])).toEqual([
      [7, null],
      [9, null],
    ]);
  });

  test('the first sheet that a person sees is read, another by its name, and what is not read is said', async () => {
    const rows = (id: string) => rowXml(1, header) + rowXml(2, [id, prompt, '', '', '']);
    const bytes = zipOf(
      workbookParts([
        { name: 'Lists', rows: rows('hidden'), state: 'hidden' },
        { name: 'Spring &amp; more', rows: rows('first') },
        { name: 'Autumn', rows: rows('second') },
      ]),
    );
    expect((await briefsOf('x.xlsx', bytes))[0]?.brief.rowKey).toBe('first');
    expect((await briefsOf('x.xlsx', bytes, { sheet: 'Autumn' }))[0]?.brief.rowKey).toBe('second');
    expect((await briefsOf('x.xlsx', bytes, { sheet: 'lists' }))[0]?.brief.rowKey).toBe('hidden');
    expect(lines(await checkText('x.xlsx', bytes))).toEqual(['warning other_sheets - - - -']);
    await expect(checkText('x.xlsx', bytes, { sheet: 'Winter' })).rejects.toMatchObject({
      findings: [{ code: 'no_sheet', message: expect.stringContaining('"Spring & more"') }],
    });
    await expect(checkText('x.csv', `id,prompt\na,${prompt}`, { sheet: 'A' })).rejects.toMatchObject({
      findings: [{ code: 'no_sheets' }],
    });
  });

  test('cells that are shown as one are said', async () => {
    const bytes = sheet(
      [
        ['a1', prompt, '', '16:9', 'x'],
        ['a2', `${prompt} b`, '', '', ''],
      ],
      [],
      '<mergeCells><mergeCell ref="D2:D3"/></mergeCells>',
    );
    const found = await checkText('x.xlsx', bytes);
    expect(lines(found)).toEqual(['warning merged_cells 2 - D -']);
  });

  test('a header that is not the first row is said', async () => {
    const xml = rowXml(1, ['Spring campaign']) + rowXml(3, header) + rowXml(4, ['a1', prompt, '', '', '']);
    const found = await checkText('x.xlsx', zipOf(workbookParts([{ name: 'M', rows: xml }])));
    expect(lines(found)).toEqual(['error no_header 1 - - -']);
    expect(found.findings[0]?.message).toContain('row 3');
  });

  test('a workbook is known by its bytes, whatever it is called', async () => {
    expect((await checkText('sheet.csv', sheet([['a1', prompt, '', '', '']]))).head.format).toBe('xlsx');
    expect((await checkText('sheet.xlsx', `id,prompt\na1,${prompt}`)).head.format).toBe('csv');
  });

  test.each([
    ['an empty sheet', zipOf(workbookParts([{ name: 'M', rows: '' }])), 'empty_file'],
    ['an archive of something else', zipOf([{ name: 'readme.xml', content: '<a/>' }]), 'broken_workbook'],
    ['half an archive', sheet([['a1', prompt, '', '', '']]).subarray(0, 700), 'broken_workbook'],
    ['a workbook of the old kind', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'old_workbook'],
    ['an OpenDocument sheet', zipOfOds(), 'not_a_manifest'],
  ])('%s is refused in words', async (_what, bytes, code) => {
    await expect(checkText('x.xlsx', bytes)).rejects.toMatchObject({ findings: [{ severity: 'error', code }] });
  });

  test('what write-excel-file writes is read as it was', async () => {
    const path = await writeManifest('x.xlsx', '');
    const rows = [
      ['id', 'prompt', 'duration', 'aspect_ratio'],
      ['007', 'Zeile eins\nZeile zwei mit “Ümläuten” & <Zeichen>', 8, '16:9'],
    ];
    await writeFile(path, await writeWorkbook(rows).toBuffer());
    const [row] = await briefs(path);
    expect(row?.brief).toMatchObject({
      rowKey: '007',
      prompt: 'Zeile eins\nZeile zwei mit “Ümläuten” & <Zeichen>',
      durationSeconds: 8,
      aspectRatio: '16:9',
    });
  });
});

function zipOfOds(): Buffer {
  // Its first entry is stored, so that the type can be read off the file.
  const mime = 'application/vnd.oasis.opendocument.spreadsheet';
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt32LE(mime.length, 18);
  head.writeUInt32LE(mime.length, 22);
  head.writeUInt16LE(8, 26);
  return Buffer.concat([head, Buffer.from(`mimetype${mime}`), zipOf([{ name: 'content.xml', content: '<a/>' }])]);
}
