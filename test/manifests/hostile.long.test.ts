import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { checkManifest, type ManifestSource } from '../../manifests/read-manifest.js';
import { briefsOf, checkText, lines } from './manifest-files.js';
import { rowXml, workbookParts, zipOf } from './workbook.js';

const prompt = 'A red shoe turns slowly';

/** A file that exists only while it is read; counts what is read of it. */
function endless(name: string, head: string, piece: string, pieces: number) {
  const read = { bytes: 0 };
  const source: ManifestSource = {
    name,
    folder: '/',
    open() {
      let sent = -1;
      return new Readable({
        read() {
          sent += 1;
          const bytes = sent === 0 ? Buffer.from(head) : sent <= pieces ? Buffer.from(piece) : null;
          read.bytes += bytes?.length ?? 0;
          this.push(bytes);
        },
      });
    },
  };
  return { source, read };
}

const megabyte = 1024 * 1024;

describe('hostile manifests', () => {
  test.each([
    ['one cell of 200 MB', 'a1,', 'x'.repeat(64 * 1024), 'error row_too_long 2 2 - -'],
    ['one quoted cell of 200 MB', 'a1,"', `${'x'.repeat(64 * 1024 - 1)}\n`, 'error open_quote 2 2 B prompt'],
    ['200 million columns', 'a1,', ','.repeat(64 * 1024), 'error row_too_long 2 2 - -'],
  ])('%s: a finding, and nothing is read past it', async (_what, row, piece, line) => {
    const { source, read } = endless('x.csv', `id,prompt,style\n${row}`, piece, 3_200);
    const found = await checkManifest(source, {});
    expect(lines(found)).toEqual([line]);
    // Once to find the encoding; what follows stops after a megabyte.
    expect(read.bytes).toBeLessThan(205 * megabyte + 4 * megabyte);
  });

  test('a quote that is never closed in 200 MB is found where it opened', async () => {
    const { source } = endless('x.csv', `id,prompt,style\na1,${prompt},"`, `a2,${prompt},x\n`.repeat(2_000), 3_000);
    expect(lines(await checkManifest(source, {}))).toEqual(['error open_quote 2 2 C style']);
  });

  test('a header of a million columns', async () => {
    const found = await checkText('x.csv', `id,prompt${',a'.repeat(400_000)}\n`);
    expect(found.findings.map(({ code }) => code)).toEqual(['too_many_columns']);
    const wider = await checkText('x.csv', `id,prompt${',ab'.repeat(1_000_000)}\n`);
    expect(wider.findings.map(({ code }) => code)).toEqual(['row_too_long']);
  });

  test('a header of as many columns as a spreadsheet has', async () => {
    const names = Array.from({ length: 16_300 }, (_, i) => `own${i}`);
    const found = await checkText(
      'x.csv',
      `id,prompt,${names.join(',')},own16299\na1,${prompt}${','.repeat(16_301)}\n`,
    );
    expect(lines(found)).toEqual(['error duplicate_header 1 1 XCA own16299']);
  });

  test('texts that a pattern could take hours over', async () => {
    const blanks = ' '.repeat(900_000);
    const found = await checkText(
      'x.csv',
      [
        'id,prompt,duration,ratio',
        `a1,"${prompt} {{${blanks.slice(0, 7_000)}x",8,16:9`,
        `a2,${prompt} b,1${blanks}x,16:9`,
        `a3,${prompt} c,8,jan${'.'.repeat(900_000)}x`,
        `a4,${prompt} d,8,1${blanks}x`,
        `a5,"${prompt} ${'{{'.repeat(3_000)}",8,16:9`,
      ].join('\n'),
    );
    expect(lines(found)).toEqual([
      'error duration_form 3 3 C duration_seconds',
      'error ratio_unknown 4 4 D aspect_ratio',
      'error ratio_unknown 5 5 D aspect_ratio',
    ]);
  });

  test('cells with more faults than a person reads', async () => {
    const ratios = Array.from({ length: 90_000 }, (_, i) => `1:${i}`).join('|');
    const slots = Array.from({ length: 80_000 }, (_, i) => `{{a${i}}}`).join('');
    const found = await checkText('x.csv', `id,prompt,ratio\na1,${prompt},${ratios}\na2,${slots},1:1\n`);
    expect(found.findings.filter(({ row }) => row === 2).map(({ code }) => code)).toEqual(['ratio_twice']);
    expect(found.findings.filter(({ row }) => row === 3)).toHaveLength(21);
  });

  test('a row that multiplies to as many ids as are taken already', async () => {
    const axis = (name: string) => Array.from({ length: 200 }, (_, i) => `${name}${i}`).join(', ');
    const movies = `[{ id: h, prompt: ${prompt} }, { id: h, prompt: ${prompt} }]`;
    const found = await checkText('x.yaml', `matrix: { a: [${axis('a')}], b: [${axis('b')}] }\nmovies: ${movies}\n`);
    expect(found.findings.filter(({ code }) => code === 'id_duplicate')).toHaveLength(40_001);
  });

  test('more rows than a spreadsheet has: nothing past them is read', async () => {
    const { source, read } = endless('x.csv', 'id,prompt\n', '\n'.repeat(64 * 1024), 40);
    expect(lines(await checkManifest(source, {}))).toEqual(['error too_many_rows 1048577 1048577 - -']);
    expect(read.bytes).toBeLessThan(40 * 64 * 1024 + 2 * megabyte);
  });

  test('rows of all lengths take no longer than others', async () => {
    const rows = Array.from({ length: 60_000 }, (_, i) => `a${i}${','.repeat(i % 3)}`);
    const found = await checkText('x.csv', `id,prompt\n${rows.join('\n')}\n`);
    expect(found).toMatchObject({ rows: 60_000, briefs: 0 });
  });

  test('NUL characters are found by their cell', async () => {
    const found = await checkText('x.csv', `id,prompt,own\na1,A red\0shoe turns,x\na2,${prompt},y\0\n`);
    expect(lines(found)).toEqual(['error nul_character 2 2 B prompt', 'error nul_character 3 3 C own']);
  });

  test('names that objects have of their own are names like any other', async () => {
    const text = `id,prompt,__proto__,constructor,toString,hasOwnProperty\na1,"A runner in {{__proto__}}, {{constructor}}",p,c,t,h\n`;
    const [row] = await briefsOf('x.csv', text);
    expect(row?.brief.prompt).toBe('A runner in p, c');
    expect(row?.cells.slice(2)).toEqual(['p', 'c', 't', 'h']);
    expect(({} as Record<string, unknown>).p).toBeUndefined();
    const yaml = `- { id: a1, prompt: ${prompt}, __proto__: { id: x }, constructor: c }\n`;
    expect(lines(await checkText('x.yaml', yaml))).toEqual(['error value_kind 1 1 - __proto__']);
    expect((await briefsOf('x.yaml', `- { id: a1, prompt: ${prompt}, __proto__: p }\n`))[0]?.cells[2]).toBe('p');
    const missing = await checkText('x.csv', `id,prompt\na1,A runner in {{toString}} at dawn\n`);
    expect(missing.findings.map(({ code }) => code)).toEqual(['template_missing']);
  });

  test('aliases that would fill the memory', async () => {
    const laughs = ['a: &a [lol, lol, lol, lol, lol, lol, lol, lol, lol]'];
    for (const [before, name] of ['ab', 'bc', 'cd', 'de', 'ef', 'fg', 'gh', 'hi'].map((pair) => [...pair])) {
      laughs.push(`${name}: &${name} [${Array(9).fill(`*${before}`).join(', ')}]`);
    }
    const list = await checkText('x.yaml', `${laughs.join('\n')}\nmovies: *i\n`);
    expect(new Set(list.findings.map(({ code }) => code))).toEqual(new Set(['unknown_key', 'too_many_aliases']));
    expect(list.errors).toBe(9);
    const value = await checkText(
      'x.yaml',
      `x-${laughs.join('\nx-')}\nmovies: [{ id: a1, prompt: ${prompt}, own: *i }]\n`,
    );
    expect(lines(value)).toContain('error too_many_aliases 1 10 - -');
  });

  test('maps that take over each other without end', async () => {
    const chain = Array.from({ length: 5_000 }, (_, i) => `x-${i}: &m${i} { k${i}: 1, <<: *m${i - 1} }`);
    chain[0] = 'x-0: &m0 { style: x }';
    const found = await checkText(
      'x.yaml',
      `${chain.join('\n')}\nmovies: [{ id: a1, prompt: ${prompt}, <<: *m4999 }]\n`,
    );
    expect(found.findings.map(({ code }) => code)).toContain('too_many_aliases');
    const self = await checkText('x.yaml', `movies:\n  - &a { id: a1, prompt: ${prompt}, <<: *a }\n  - &b [*b]\n`);
    expect(self.findings.map(({ code }) => code)).toEqual(['value_kind']);
  });

  test.each([1_000, 30_000])('YAML that nests %i deep', async (depth) => {
    for (const text of [
      '['.repeat(depth),
      `movies: ${'{a: '.repeat(depth)}1${'}'.repeat(depth)}`,
      `${'- '.repeat(depth)}x`,
    ]) {
      const { findings, errors } = await checkText('x.yaml', text);
      expect(errors).toBeGreaterThan(0);
      expect(findings[0]?.code).toBe('too_deep');
    }
  });

  test('a YAML file of 200 MB is refused before it is parsed', async () => {
    const { source } = endless('x.yaml', 'movies:\n', `  - { id: a, prompt: ${prompt} }\n`.repeat(2_000), 3_200);
    await expect(checkManifest(source, {})).rejects.toMatchObject({ findings: [{ code: 'too_large' }] });
  });

  test.each([
    ['movies that are nothing', `movies:\n${'-\n'.repeat(250_000)}`, 'error too_many_movies - - - -'],
    ['values', `movies: [${'{},'.repeat(1_100_000)}]`, 'error too_large - - - -'],
    [
      'names that no two movies share',
      Array.from({ length: 1_100 }, (_, i) => `- { id: a${i}, prompt: ${prompt}, own${i}: x }`).join('\n'),
      'error too_many_columns - - - -',
    ],
  ])('YAML of too many %s', async (_what, text, line) => {
    expect(lines(await checkText('x.yaml', text))).toEqual([line]);
  });

  test('very many names in one map', async () => {
    const names = Array.from({ length: 30_000 }, (_, i) => `k${i}: 1`);
    const found = await checkText('x.yaml', `${names.join('\n')}\nmovies: []\n`);
    expect(found.warnings).toBe(30_000);
  });

  test.each([
    ['that says so', undefined],
    ['that says otherwise', 100],
  ])('an archive that unpacks to more than is taken, %s', async (_what, saidBytes) => {
    const parts = workbookParts([{ name: 'M', rows: '' }]);
    const bomb = {
      name: 'xl/sharedStrings.xml',
      content: Buffer.alloc(136 * megabyte, 0x20),
      ...(saidBytes && { saidBytes }),
    };
    await expect(checkText('x.xlsx', zipOf([...parts, bomb]))).rejects.toMatchObject({
      findings: [{ code: 'too_large' }],
    });
  });

  test('an archive whose parts are too large together', async () => {
    const blanks = ' '.repeat(70 * megabyte);
    const strings = { name: 'xl/sharedStrings.xml', content: `<sst>${blanks}</sst>` };
    const bytes = zipOf([...workbookParts([{ name: 'M', rows: blanks }]), strings]);
    await expect(checkText('x.xlsx', bytes)).rejects.toMatchObject({ findings: [{ code: 'too_large' }] });
  });

  test('what nobody reads of an archive is not unpacked', async () => {
    const bomb = { name: 'xl/media/a.xml', content: Buffer.alloc(136 * megabyte, 0x20) };
    const shown = rowXml(1, ['id', 'prompt']) + rowXml(2, ['a1', prompt]);
    const found = await checkText('x.xlsx', zipOf([...workbookParts([{ name: 'M', rows: shown }]), bomb]));
    expect(found).toMatchObject({ errors: 0, briefs: 1 });
  });

  test('what hides between the entries of an archive is not read', async () => {
    const shown = rowXml(1, ['id', 'prompt']) + rowXml(2, ['a1', prompt]);
    const hidden = zipOf([{ name: 'xl/worksheets/sheet1.xml', content: '<worksheet><sheetData/></worksheet>' }]);
    const outer = zipOf(workbookParts([{ name: 'M', rows: shown }]));
    // The hidden entry comes first for whoever reads from the front, and is in no directory.
    const local = hidden.subarray(0, hidden.indexOf(Buffer.from('PK\x01\x02', 'latin1')));
    const bytes = Buffer.concat([local, outer]);
    shiftDirectory(bytes, local.length);
    expect((await briefsOf('x.xlsx', bytes)).map(({ brief }) => brief.rowKey)).toEqual(['a1']);
  });

  test.each([
    ['rows that are never closed', '<row '.repeat(300_000), 'broken_workbook'],
    ['cells that are never closed', '<row r="2">'.concat('<c>'.repeat(300_000)), 'too_large'],
    ['a tag of one long word', `<row r="2"><c ${'a'.repeat(300_000)}></c></row>`, 'broken_workbook'],
    ['more cells than can be laid out', `<row r="2">${'<c/>'.repeat(4_000_001)}</row>`, 'too_large'],
    ['more rows than a spreadsheet has', '<row/>'.repeat(1_048_577), 'too_large'],
  ])('a sheet of %s', async (_what, rows, code) => {
    const sheet = zipOf(workbookParts([{ name: 'M', rows: rowXml(1, ['id', 'prompt']) + rows }]));
    await expect(checkText('x.xlsx', sheet)).rejects.toMatchObject({ findings: [{ code }] });
  });

  test('a number format that goes on and on is none', async () => {
    const rows = `${rowXml(1, ['id', 'prompt'])}<row r="2"><c r="A2" s="1"><v>7</v></c></row>`;
    const found = await checkText('x.xlsx', zipOf(workbookParts([{ name: 'M', rows }], [';'.repeat(200_000)])));
    expect(lines(found)).toEqual(['error prompt_missing 2 - B prompt']);
  });

  test('a workbook whose styles weigh more than any', async () => {
    const parts = workbookParts([{ name: 'M', rows: rowXml(1, ['id', 'prompt']) }]).filter(
      ({ name }) => name !== 'xl/styles.xml',
    );
    const styles = { name: 'xl/styles.xml', content: `<styleSheet>${'<xf/>'.repeat(2_000_000)}</styleSheet>` };
    await expect(checkText('x.xlsx', zipOf([...parts, styles]))).rejects.toMatchObject({
      findings: [{ code: 'too_large' }],
    });
  });

  test('a cell at the far corner of a sheet is told by its place', async () => {
    for (const [tag, quote] of [
      ['', '"'],
      ['x:', "'"],
    ]) {
      const far = `<${tag}c r=${quote}XFD1048576${quote}><${tag}v>1</${tag}v></${tag}c>`;
      const rows = `${rowXml(1, ['id', 'prompt'])}<${tag}row r=${quote}1048576${quote}>${far}</${tag}row>`;
      const found = await checkText('x.xlsx', zipOf(workbookParts([{ name: 'M', rows }])));
      expect(lines(found)[0]).toBe('warning no_header_cell 1048576 - - -');
      expect(found.findings[0]?.message).toContain('column XFD');
    }
  });

  test.each([
    ['PNG', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    ['PDF', Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n', 'latin1')],
    ['noise', Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 7919) % 251))],
  ])('%s is no manifest', async (_what, bytes) => {
    await expect(checkText('x.csv', bytes)).rejects.toMatchObject({ findings: [{ severity: 'error' }] });
  });

  test('whatever the bytes, there is an answer or a ManifestError', async () => {
    for (let round = 0; round < 40; round += 1) {
      for (const name of ['x.csv', 'x.yaml', 'x.xlsx']) {
        const bytes =
          round % 2 === 0
            ? randomBytes(600)
            : Buffer.concat([Buffer.from(`id,prompt\na1,${prompt}\n`), randomBytes(200)]);
        const outcome = await checkText(name, bytes).then(
          () => 'answer',
          (error: Error) => error.name,
        );
        expect(['answer', 'ManifestError']).toContain(outcome);
      }
    }
  });
});

/** Places in an archive's directory, after bytes were put in front of it. */
function shiftDirectory(bytes: Buffer, by: number): void {
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  bytes.writeUInt32LE(bytes.readUInt32LE(end + 16) + by, end + 16);
  let at = bytes.readUInt32LE(end + 16);
  for (let index = 0; index < bytes.readUInt16LE(end + 10); index += 1) {
    bytes.writeUInt32LE(bytes.readUInt32LE(at + 42) + by, at + 42);
    at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
}
