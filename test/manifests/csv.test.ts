import { describe, expect, test } from 'vitest';
import { briefsOf, checkText, lines } from './manifest-files.js';

const prompt = 'A red shoe turns slowly';

describe('a CSV manifest', () => {
  test.each([',', ';', '\t', '|', '^', ':'])('with %j between cells is recognised by its header', async (delimiter) => {
    const text = [
      ['ID', 'Brief', 'Length', 'my, own; col'],
      ['a1', `${prompt}, a, b, c`, '8', 'x'],
    ]
      .map((cells) => cells.map((cell) => (/[,;\t|^:]/.test(cell) ? `"${cell}"` : cell)).join(delimiter))
      .join('\n');
    const found = await checkText('sheet.csv', text);
    expect(found.head.delimiter).toBe(delimiter);
    expect(found).toMatchObject({ rows: 1, briefs: 1, findings: [] });
  });

  test('is not misled by a prompt with more of another delimiter than it has cells', async () => {
    const text = `id;prompt\na1;${'one, two, three, '.repeat(20)}`;
    expect((await checkText('sheet.csv', text)).head.delimiter).toBe(';');
  });

  test('keeps its own columns in their order, and names none of them as a fault', async () => {
    const rows = await briefsOf('sheet.csv', `market,id,owner,prompt\nde,a1,ana,${prompt}`);
    expect(rows[0]?.cells).toEqual(['de', 'a1', 'ana', prompt]);
  });

  test('a name that is almost a known one is said, once', async () => {
    const found = await checkText('sheet.csv', `id,prompt,duratoin\na1,${prompt},8\na2,${prompt} again,9`);
    expect(lines(found)).toEqual(['warning near_header 1 1 C duratoin']);
    expect(found.findings[0]?.message).toContain('did you mean duration_seconds?');
  });

  test.each([
    ['id,prompt,market,Market', 'error duplicate_header 1 1 D Market'],
    ['id,prompt,slug', 'error duplicate_field 1 1 C id'],
    ['id,prompt,ref 1,image_1', 'error duplicate_field 1 1 D reference_1'],
    ['id,prompt,reference_21', 'error too_many_references 1 1 C reference_21'],
    ['id,duration', 'error missing_column 1 1 - prompt'],
    ['prompt,duration', 'error missing_column 1 1 - id'],
  ])('the header %s is refused', async (header, line) => {
    const found = await checkText('sheet.csv', `${header}\n${header.replace(/[^,]+/g, 'a1')}`);
    expect(lines(found)).toContain(line);
  });

  test('rows above the header are said, with the row where the header seems to be', async () => {
    const found = await checkText('sheet.csv', `Spring campaign,,\n,,\nid,prompt,duration\na1,${prompt},8`);
    expect(lines(found)).toEqual(['error no_header 1 1 - -']);
    expect(found.findings[0]?.message).toContain('row 3');
  });

  test('blank rows are skipped anywhere and keep the numbering', async () => {
    const rows = await briefsOf('sheet.csv', `\n,,\nid,prompt\n,\n\na1,${prompt}\n  ,\na2,${prompt} again\n\n`);
    expect(rows.map(({ row, line }) => [row, line])).toEqual([
      [6, 6],
      [8, 8],
    ]);
  });

  test('rows of another width are refused, unless what is beyond is empty', async () => {
    const text = `id,prompt,duration,,\na1,${prompt},8,,\na2,${prompt},8,,,,\na3,${prompt},8,,x\na4,${prompt}\na5,${prompt},8,,,,y`;
    const found = await checkText('sheet.csv', text);
    expect(lines(found).filter((line) => line.startsWith('error'))).toEqual([
      'error ragged_row 4 4 - -',
      'error ragged_row 5 5 - -',
      'error ragged_row 6 6 - -',
    ]);
    expect(found.head.columns).toEqual(['id', 'prompt', 'duration']);
    expect(found.briefs).toBe(2);
  });

  test('a quote that swallowed rows is an error, however it ended', async () => {
    const swallowed = `id,prompt,duration,aspect_ratio\na1,"${prompt},8,16:9\na2,"A blue shoe, turning",8,16:9\n`;
    expect(lines(await checkText('sheet.csv', swallowed))).toContain('error stray_quote 2 2 B prompt');
    const clean = `id,prompt,duration,aspect_ratio\na1,"${prompt},8,16:9\na2,A blue shoe turns,8,16:9\na3,"",8,16:9\n`;
    const found = await checkText('sheet.csv', clean);
    expect(found.errors).toBeGreaterThan(0);
    expect(found.briefs).toBe(0);
  });

  test('a whole row inside a cell is an error', async () => {
    const text = `id,prompt,duration\na1,"${prompt}\na2,A blue shoe turns slowly,8\nthe end",8\n`;
    expect(lines(await checkText('sheet.csv', text))).toContain('error row_in_cell 2 2 B prompt');
  });

  test('lists and dialogue in a prompt of several lines are no rows', async () => {
    const text = `id,prompt,duration\na1,"Three shots, all at dawn:\n1, the bridge\n2, the runner, close\nAna: ""Go, go, go""",8\n`;
    expect(await checkText('sheet.csv', text)).toMatchObject({ findings: [], briefs: 1 });
  });

  test('a blank before an opening quote is an error, since the quote would be text', async () => {
    const text = `id,prompt,duration\na1, "${prompt}",8\n`;
    expect(lines(await checkText('sheet.csv', text))).toEqual(['error blank_before_quote 2 2 B prompt']);
  });

  test('quotes amid a text are text', async () => {
    const [row] = await briefsOf('sheet.csv', `id,prompt\na1,She says "go" and the 5" screen lights up\n`);
    expect(row?.brief.prompt).toBe('She says "go" and the 5" screen lights up');
  });

  test('an unclosed quote is found where it opened, after cells of several lines too', async () => {
    const text = `id,prompt,style\na1,"${prompt}\r\nsecond line","warm, close\r\na2,${prompt},x\r\n`;
    const found = await checkText('sheet.csv', text);
    expect(lines(found)).toEqual(['error open_quote 2 3 C style']);
    expect(found.findings[0]?.excerpt).toMatchObject({ line: 3, text: 'second line","warm, close' });
  });

  test('a header alone has no rows', async () => {
    expect(lines(await checkText('sheet.csv', 'id,prompt\n\n'))).toEqual(['error no_rows - - - -']);
  });

  test('empty cells take the defaults', async () => {
    const [row] = await briefsOf('sheet.csv', `id,prompt,duration,aspect_ratio,style\na1,${prompt},,,`);
    expect(row?.brief).toMatchObject({ durationSeconds: 30, aspectRatio: null, style: null });
  });

  test('a sheet without a row of a field is a sheet without that field', async () => {
    const [row] = await briefsOf('sheet.csv', `id,prompt\n007,${prompt}`);
    expect(row?.brief).toEqual({
      rowKey: '007',
      prompt,
      durationSeconds: 30,
      aspectRatio: null,
      style: null,
      references: [],
    });
  });

  test('several ratios in a cell are a movie each, and their ids say which', async () => {
    const rows = await briefsOf('sheet.csv', `id,prompt,ratio\nhero,${prompt},16:9 | 9x16|1:1\nsolo,${prompt} too,4:5`);
    expect(rows.map(({ brief, cells, row }) => [brief.rowKey, brief.aspectRatio, cells, row])).toEqual([
      ['hero-16x9', '16:9', ['hero-16x9', prompt, '16:9'], 2],
      ['hero-9x16', '9:16', ['hero-9x16', prompt, '9:16'], 2],
      ['hero-1x1', '1:1', ['hero-1x1', prompt, '1:1'], 2],
      ['solo', '4:5', ['solo', `${prompt} too`, '4:5'], 3],
    ]);
  });

  test('ids are unique over what rows multiply to, case aside', async () => {
    const text = `id,prompt,ratio\nhero,${prompt},16:9|9:16\nHERO-16x9,${prompt} b,\nhero,${prompt} c,1:1\na1,${prompt} d,\nA1,${prompt} e,`;
    const found = await checkText('sheet.csv', text);
    expect(lines(found)).toEqual([
      'error id_duplicate 3 3 A id',
      'error id_duplicate 4 4 A id',
      'error id_duplicate 6 6 A id',
    ]);
    expect(found.findings[2]?.message).toContain('only by case');
  });

  test.each([
    ['1.23457E+11', ['error id_form', 'warning id_spreadsheet']],
    ['1E5', ['warning id_spreadsheet']],
    ['-a', ['error id_form']],
    ['a b', ['error id_form']],
    ['é', ['error id_form']],
    ['x'.repeat(65), ['error id_form']],
    ['', ['error id_missing']],
  ])('the id %j gives %j', async (id, expected) => {
    const found = await checkText('sheet.csv', `id,prompt\n${id},${prompt}\n`);
    expect(found.findings.map(({ severity, code }) => `${severity} ${code}`)).toEqual(expected);
  });

  test('an id that grows too long by its suffix is an error', async () => {
    const found = await checkText('sheet.csv', `id,prompt,ratio\n${'x'.repeat(62)},${prompt},16:9|9:16`);
    expect(new Set(found.findings.map(({ code }) => code))).toEqual(new Set(['id_expanded']));
  });

  test('templates are filled from the row, and a missing or empty one is an error', async () => {
    const text = `id,prompt,Launch Market,style\na1,"A runner in {{launch_market}}, shown as {{ID}}",Kraków,{{launch market}} light\na2,A runner in {{place}} at dawn,x,\na3,A runner in {{launch-market}} at dawn,,\na4,A runner in {{prompt}} at dawn,x,`;
    const found = await checkText('sheet.csv', text);
    expect(found.findings.map(({ row, code, message }) => [row, code, message])).toEqual([
      [3, 'template_missing', '{{place}} names no column; write \\{{place}} for the braces themselves'],
      [4, 'template_missing', '{{launch-market}} is empty in this row'],
      [5, 'template_missing', '{{prompt}} names no column'],
    ]);
    const [row] = await briefsOf('sheet.csv', text.split('\n').slice(0, 2).join('\n'));
    expect(row?.brief).toMatchObject({ prompt: 'A runner in Kraków, shown as a1', style: 'Kraków light' });
    expect(row?.cells[1]).toBe('A runner in {{launch_market}}, shown as {{ID}}');
  });

  test('what a template fills in is not filled again', async () => {
    const [row] = await briefsOf('sheet.csv', 'id,prompt,a,b\na1,A runner in {{a}} at dawn,{{b}},x\n');
    expect(row?.brief.prompt).toBe('A runner in {{b}} at dawn');
  });

  test('the same content under two ids is said, with the row that has it first', async () => {
    const found = await checkText('sheet.csv', `id,prompt,market\na1,${prompt},de\na2,"  ${prompt} ",fr\n`);
    expect(lines(found)).toEqual(['warning same_content 3 3 A id']);
    expect(found.findings[0]?.message).toContain('row 2');
  });

  test('strict makes errors of repairs', async () => {
    const text = `id,prompt,ratio\na1,${prompt},16:09\n`;
    expect(await checkText('sheet.csv', text)).toMatchObject({ errors: 0, repairs: 1, briefs: 1 });
    expect(await checkText('sheet.csv', text, { strict: true })).toMatchObject({ errors: 1, repairs: 0, briefs: 0 });
  });

  test('the campaign is the name of the file, and must be one that a path can carry', async () => {
    const text = `id,prompt\na1,${prompt}\n`;
    expect((await checkText('spring-launch.csv', text)).head.campaign).toBe('spring-launch');
    expect(lines(await checkText('spring (1).csv', text))).toEqual(['error campaign_name - - - -']);
    const named = await checkText('spring (1).csv', text, { campaign: 'spring' });
    expect([named.head.campaign, named.errors]).toEqual(['spring', 0]);
  });

  test('line ends inside a prompt are one kind, whichever the file has', async () => {
    const digests = await Promise.all(
      ['\r\n', '\n', '\r'].map(async (end) => {
        const [row] = await briefsOf('sheet.csv', `id,prompt${end}a1,"one line${end}another line"${end}`);
        return row?.digest;
      }),
    );
    expect(new Set(digests).size).toBe(1);
  });

  test('marks of damaged and of doubled encoding are said, and the text is left as it is', async () => {
    const text = `id,prompt\na1,Un cafÃ© au lever du soleil\na2,A runner at d\ufffdwn on the bridge\na3,SÃO PAULO at dawn by the sea\n`;
    const found = await checkText('sheet.csv', text);
    expect(lines(found)).toEqual(['warning doubled_encoding 2 2 B prompt', 'warning damaged_text 3 3 B prompt']);
    expect((await briefsOf('sheet.csv', text))[0]?.brief.prompt).toBe('Un cafÃ© au lever du soleil');
  });
});
