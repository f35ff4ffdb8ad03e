import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkManifest, fileSource } from '../../../manifests/read-manifest.js';
import { exampleRows } from '../../../manifests/sample-sheet.js';
import { openPackage } from '../../../sheets/xlsx/workbook-package.js';
import { runCommand } from '../memory-context.js';

let cwd = '';
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'greenlight-template-'));
});
afterEach(async () => {
  await rm(cwd, { recursive: true, force: true });
});

async function partOf(name: string): Promise<string> {
  const parts = await openPackage(await readFile(join(cwd, 'sheet.xlsx')));
  const pieces: Buffer[] = [];
  for await (const piece of parts.read(name)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

const template = (...args: string[]) => runCommand(['template', ...args], { cwd });

describe('greenlight template', () => {
  test.each(['sheet.csv', 'sheet.xlsx'])('%s is a manifest without findings', async (name) => {
    const { stderr, exitCode } = await template(name);
    expect(stderr).toBe(`Wrote ${name}. Next: fill it in, then greenlight check ${name}\n`);
    expect(exitCode ?? 0).toBe(0);
    const found = await checkManifest(await fileSource(join(cwd, name)), {});
    expect(found).toMatchObject({ rows: 2, briefs: 3, findings: [] });
    expect(found.head.columns).toEqual([
      'id',
      'prompt',
      'duration_seconds',
      'aspect_ratio',
      'style',
      ...['reference_1', 'reference_1_role', 'reference_1_description'],
      ...['reference_2', 'reference_2_role', 'reference_2_description'],
      'market',
    ]);
    expect(found.head.format).toBe(name.endsWith('.csv') ? 'csv' : 'xlsx');
  });

  test('the workbook offers ratios and roles, and says on a sheet of its own what may stand where', async () => {
    await template('sheet.xlsx', '--references', '1');
    const sheet = await partOf('xl/worksheets/sheet1.xml');
    expect(sheet).toMatch(/<\/sheetData><dataValidations count="2">/);
    expect(sheet).toContain('sqref="D2:D503"><formula1>"16:9,9:16,1:1,4:5"</formula1>');
    expect(sheet).toContain('sqref="G2:G503"><formula1>"character,product,');
    expect(await partOf('xl/worksheets/sheet3.xml')).not.toContain('dataValidation');
    const source = await fileSource(join(cwd, 'sheet.xlsx'));
    expect((await checkManifest(source, {})).findings).toEqual([]);
    const rules = await checkManifest(source, { sheet: 'Rules' });
    expect(rules.findings.map(({ code }) => code)).toContain('no_header');
  });

  test('the workbook has an example of each kind, all of which are understood', async () => {
    await template('sheet.xlsx');
    const found = await checkManifest(await fileSource(join(cwd, 'sheet.xlsx')), { sheet: 'Examples' });
    const errors = found.findings.filter(({ severity }) => severity === 'error');
    // Only the file beside the sheet is not there.
    expect(errors.map(({ code, row }) => `${code} ${row}`)).toEqual(['reference_missing 6']);
    expect(found).toMatchObject({ rows: exampleRows.length });
    expect(found.head.ownColumns.map((index) => found.head.columns[index])).toEqual(['market', 'shows']);
  });

  test('every cell of the workbook is text, also below the rows that are filled in', async () => {
    await template('sheet.xlsx');
    const styles = await partOf('xl/styles.xml');
    const sheet = await partOf('xl/worksheets/sheet1.xml');
    const textId = /numFmtId="(\d+)" formatCode="@"/.exec(styles)?.[1];
    const isText = [...styles.matchAll(/<xf ([^>]*)>/g)].map(([, xf = '']) => xf.includes(`numFmtId="${textId}"`));
    const used = new Set([...sheet.matchAll(/<c r="D\d+" s="(\d+)"/g)].map(([, style]) => Number(style)));
    expect([...used].map((style) => isText[style])).not.toContain(false);
    expect(sheet).toContain('<c r="D300"');
  });

  test('is CSV on standard output, with as many references as are asked for', async () => {
    const { stdout } = await template('--references', '20');
    const header = stdout.split('\r\n')[0]?.split(',') ?? [];
    expect(header).toContain('reference_20_description');
    expect(header).toHaveLength(5 + 60 + 1);
    expect((await template('--references', '0')).stdout.split('\r\n')[0]).toBe(
      'id,prompt,duration_seconds,aspect_ratio,style,market',
    );
  });

  test('says what may stand in each column', async () => {
    const { stdout } = await template('--json');
    const { columns } = JSON.parse(stdout);
    expect(columns[2]).toEqual({ name: 'duration_seconds', about: 'whole seconds from 5 to 120; 30 where empty' });
  });

  test('overwrites nothing', async () => {
    await template('sheet.csv');
    const { stderr, exitCode } = await template('sheet.csv');
    expect([exitCode, stderr]).toEqual([2, 'Cannot write sheet.csv: the file exists; choose another name\n']);
    expect(await readdir(cwd)).toEqual(['sheet.csv']);
  });

  test.each([
    [['sheet.ods'], 'Cannot write sheet.ods as CSV or XLSX'],
    [['sheet.xlsx', '--format', 'csv'], 'Cannot write sheet.xlsx as csv'],
    [['sheet.csv', '--format', 'xlsx'], 'Cannot write sheet.csv as xlsx'],
    [['none/sheet.csv'], 'Cannot write none/sheet.csv: there is no folder none'],
    [['-'], 'Cannot write to -: name a file'],
  ])('a name that says another kind, or leads nowhere, is wrong usage: %j', async (args, message) => {
    const { stderr, exitCode } = await template(...args);
    expect(stderr).toMatch(message);
    expect(exitCode).toBe(2);
    expect(await readdir(cwd)).toEqual([]);
  });

  test('refuses more references than a movie takes', async () => {
    expect((await template('--references', '21')).exitCode).toBe(2);
  });
});
