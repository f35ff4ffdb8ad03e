import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import stringWidth from 'string-width';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSource } from '../../../cli/manifest/manifest-source.js';
import { runProgram } from '../../../cli/program.js';
import type { CliContext } from '../../../cli/terminal/context.js';
import type { ExitCode } from '../../../cli/terminal/exit-codes.js';
import { scriptedService } from '../../api/service.js';
import { type Ended, runCommand } from '../memory-context.js';

const prompt = 'A red shoe turns slowly';
const fixture = (name: string) => new URL(`../../fixtures/manifests/${name}`, import.meta.url).pathname;

let cwd = '';
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'greenlight-check-'));
});
afterEach(async () => {
  await rm(cwd, { recursive: true, force: true });
});

async function check(content: string, args: readonly string[] = [], name = 'spring.csv'): Promise<Ended> {
  await writeFile(join(cwd, name), content);
  return runCommand(['check', name, ...args], { cwd });
}

/** As `cat file | greenlight check -`. */
async function checkPiped(content: string, args: readonly string[]): Promise<Ended> {
  let [stdout, stderr] = ['', ''];
  let exitCode: ExitCode | null = null;
  const [out, err] = [new PassThrough(), new PassThrough()];
  out.on('data', (chunk) => (stdout += chunk));
  err.on('data', (chunk) => (stderr += chunk));
  const context: CliContext = {
    ...{ stdin: Readable.from([Buffer.from(content)]), stdout: out, stderr: err, env: {}, cwd, program: [] },
    setExitCode: (code) => (exitCode = code),
    onInterrupt: () => () => {},
  };
  await runProgram(['check', '-', ...args], context, '0.0.0');
  return { exitCode, stdout, stderr };
}

describe('greenlight check', () => {
  test('--map says under which header a field stands, and is part of the next command', async () => {
    const sheet = `id,Shot Description\na,${prompt}`;
    const asked = await check(sheet);
    expect(asked).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('--map prompt="Shot Description"') });
    const { stdout, exitCode } = await check(sheet, ['--map', 'prompt=Shot Description']);
    expect(stdout).toContain("greenlight plan spring.csv --map 'prompt=Shot Description'");
    expect(exitCode).toBe(0);
    for (const wrong of ['prompt', 'colour=x', '=x', 'prompt=']) {
      expect(await check(sheet, ['--map', wrong])).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining(`Cannot use --map ${wrong}: `),
      });
    }
  });

  test('a repaired file is what its name says', async () => {
    await writeFile(join(cwd, 'a.xlsx'), await readFile(fixture('lo_saved_en-US.xlsx')));
    const fix = (from: string, to: string) => runCommand(['check', from, '--fix', to], { cwd });
    const refused = (why: string) => ({ exitCode: 2, stderr: expect.stringContaining(why) });
    expect(await fix('a.xlsx', 'b.xlsx')).toMatchObject({ exitCode: 1 });
    expect((await readFile(join(cwd, 'b.xlsx'))).subarray(0, 2).toString()).toBe('PK');
    expect(await fix('a.xlsx', 'b.csv')).toMatchObject({ exitCode: 1 });
    expect((await readFile(join(cwd, 'b.csv'))).toString()).toMatch(/^id,prompt,/);
    for (const name of ['b.xls', 'b', 'b.yaml', 'b.xlsm']) {
      expect(await fix('a.xlsx', name), name).toMatchObject(refused(`Cannot write ${name}: `));
      expect(existsSync(join(cwd, name)), name).toBe(false);
    }
    await writeFile(join(cwd, 'a.csv'), `id,prompt\na,${prompt}\n`);
    await writeFile(join(cwd, 'a.yaml'), `movies:\n  - { id: a, prompt: ${prompt} }\n`);
    expect(await fix('a.csv', 'c.xlsx')).toMatchObject(refused('Cannot write c.xlsx: a.csv is CSV; name it .csv'));
    expect(await fix('a.yaml', 'c.csv')).toMatchObject(refused('Cannot write c.csv: a.yaml is YAML; name it .yaml'));
    expect(await fix('a.csv', 'c.txt')).toMatchObject({ exitCode: 0 });
  });

  test('rows that a workbook hides need an answer, which is part of the next command', async () => {
    const path = new URL('../../fixtures/reports/03-xlsx-hidden-rows/in.xlsx', import.meta.url).pathname;
    await writeFile(join(cwd, 'spring.xlsx'), await readFile(path));
    const asked = await runCommand(['check', 'spring.xlsx'], { cwd });
    expect(asked).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('row 3 error the row is hidden') });
    const left = await runCommand(['check', 'spring.xlsx', '--hidden-rows', 'leave'], { cwd });
    expect(left).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('greenlight plan spring.xlsx --hidden-rows leave'),
    });
    expect(await runCommand(['check', 'spring.xlsx', '--hidden-rows', 'maybe'], { cwd })).toMatchObject({
      exitCode: 2,
    });
  });

  test('says that a good manifest is good, and what comes next', async () => {
    const { stdout, exitCode } = await check(`id,prompt,market\na1,${prompt},de\n`);
    expect(stdout).toBe(
      [
        'spring.csv  1 row  UTF-8  ","',
        'custom columns, kept and not sent: market',
        'No findings; 1 movie. Nothing was sent. Next: greenlight plan spring.csv',
        '',
      ].join('\n'),
    );
    expect(exitCode).toBe(0);
  });

  test('shows the line of an error and points at the cell', async () => {
    const { stdout, exitCode } = await check(
      `id,prompt,length,ratio\na1,"${prompt}, 漢字",8,21:09\na2,short,"1,000",16:9\n`,
    );
    expect(stdout).toBe(
      [
        'spring.csv  2 rows  UTF-8  ","',
        'row 2 (line 2) D ratio error "21:09" is a time of none of the ratios: a spreadsheet may have changed the cell; use 16:9 9:16 1:1 4:5',
        `     2 | a1,"${prompt}, 漢字",8,21:09`,
        // A character of two columns moves the marks by two.
        '       |                                      ^^^^^',
        'row 3 (line 3) B prompt error too short: 5 characters, at least 10',
        '     3 | a2,short,"1,000",16:9',
        '       |    ^^^^^',
        'row 3 (line 3) C length error "1,000" is ambiguous; use whole seconds from 5 to 120',
        '     3 | a2,short,"1,000",16:9',
        '       |          ^^^^^^^',
        '3 errors; 0 movies. Nothing was sent. Next: correct the errors, then greenlight check spring.csv',
        '',
      ].join('\n'),
    );
    expect(exitCode).toBe(1);
  });

  test('of a long line it shows what is around the cell, as wide as the screen', async () => {
    const style = '漢'.repeat(60);
    const { stdout } = await check(`id,prompt,style,ratio,note\na1,${prompt},${style},21:09,${'n'.repeat(99)}\n`);
    const [, row, marks] = /\n( +2 \| .*)\n(.*\^.*)\n/.exec(stdout) ?? [];
    expect(row).toBe(`     2 | ${'漢'.repeat(11)},21:09,${'n'.repeat(42)}`);
    expect(stringWidth(row ?? '')).toBe(80);
    expect(marks).toBe(`       | ${' '.repeat(23)}^^^^^`);
  });

  test('folds what a thousand rows have alike, and cuts errors of one kind at twenty', async () => {
    const rows = Array.from({ length: 1_000 }, (_, i) => `a${i},${prompt} ${i},16:09,${i < 30 ? 'x' : ''}`);
    const { stdout } = await check(`id,prompt,aspect_ratio,duration\n${rows.join('\n')}\n`);
    const lines = stdout.split('\n');
    expect(lines).toContain('rows 2-1001 C aspect_ratio repaired 16:09 -> 16:9 in 1,000 rows: C2 … C1001');
    expect(lines.filter((line) => line.includes('D duration error'))).toHaveLength(20);
    expect(lines).toContain('  and 10 more like it: --json has all');
    expect(lines.at(-2)).toBe(
      '30 errors, 1,000 repairs; 970 movies. Nothing was sent. Next: correct the errors, then greenlight check spring.csv (--fix <file> writes the repairs)',
    );
  });

  test('gives every finding as JSON', async () => {
    const { stdout, exitCode } = await check(`id,prompt,ratio\na1,short,16:09\n`, ['--json']);
    expect(JSON.parse(stdout)).toEqual({
      manifest: 'spring.csv',
      format: 'csv',
      encoding: 'UTF-8',
      delimiter: ',',
      campaign: 'spring',
      own_columns: [],
      rows: 1,
      briefs: 0,
      errors: 1,
      warnings: 0,
      repairs: 1,
      findings: [
        {
          severity: 'error',
          code: 'prompt_short',
          row: 2,
          line: 2,
          column: 'B',
          field: 'prompt',
          message: 'too short: 5 characters, at least 10',
          before: 'short',
          after: null,
        },
        {
          severity: 'repair',
          code: 'ratio_repaired',
          row: 2,
          line: 2,
          column: 'C',
          field: 'aspect_ratio',
          message: 'a spreadsheet had made a time of 16:9',
          before: '16:09',
          after: '16:9',
        },
      ],
    });
    expect(exitCode).toBe(1);
  });

  test('gives the briefs too, those beside errors among them', async () => {
    const content = `id,prompt,ratio,reference_1,reference_1_role,market,__proto__\na1,${prompt},1:1|4:5,ref_1,product,de,p\na2,short,,,,fr,\n`;
    const { stdout } = await check(content, ['--json', '--briefs']);
    const { briefs_detail: briefs, ...rest } = JSON.parse(stdout);
    expect(rest).toMatchObject({ rows: 2, briefs: 2, errors: 1 });
    expect(briefs).toHaveLength(2);
    expect(briefs[1]).toMatchObject({
      id: 'a1-4x5',
      prompt,
      duration_seconds: 30,
      aspect_ratio: '4:5',
      style: null,
      references: [{ id: 'ref_1', role: 'product', description: null }],
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(Object.entries(briefs[1].extra)).toEqual([
      ['market', 'de'],
      ['__proto__', 'p'],
    ]);
  });

  test('without a single brief, JSON is JSON all the same', async () => {
    const { stdout } = await check('id,prompt\n', ['--json', '--briefs']);
    expect(JSON.parse(stdout)).toMatchObject({ briefs_detail: [], errors: 1 });
  });

  test('reads standard input, and keeps nothing of it', async () => {
    const before = (await readdir(tmpdir())).filter((name) => name.startsWith('greenlight-stdin-'));
    const { stdout, exitCode } = await checkPiped(`id;prompt\na1;${prompt}\n`, ['--json']);
    expect(JSON.parse(stdout)).toMatchObject({ manifest: 'standard input', delimiter: ';', briefs: 1, errors: 0 });
    expect(exitCode).toBe(0);
    const yaml = await checkPiped(`movies:\n  - { id: a, prompt: ${prompt} }\n`, ['--json']);
    expect(JSON.parse(yaml.stdout)).toMatchObject({ format: 'yaml', briefs: 1 });
    expect((await readdir(tmpdir())).filter((name) => name.startsWith('greenlight-stdin-'))).toEqual(before);
  });

  test('a standard input that never ends is left, and nothing of it is kept', async () => {
    const before = (await readdir(tmpdir())).filter((name) => name.startsWith('greenlight-stdin-'));
    const endless = new Readable({
      read() {
        this.push(Buffer.from('y\n'.repeat(1_000)));
      },
    });
    await expect(openSource({ stdin: endless, cwd }, '-', { mostBytes: 100_000 })).rejects.toThrow(
      'it is longer than 100000 bytes',
    );
    expect(endless.destroyed).toBe(true);
    expect((await readdir(tmpdir())).filter((name) => name.startsWith('greenlight-stdin-'))).toEqual(before);
  });

  test('an empty standard input is wrong usage', async () => {
    const { stderr, exitCode } = await checkPiped('', []);
    expect(stderr).toBe('Cannot read standard input: it is empty; pipe a manifest into it\n');
    expect(exitCode).toBe(2);
  });

  test('writes the repaired file once, and overwrites none', async () => {
    const original = await readFile(fixture('lo_saved_en-US.csv'), 'utf8');
    const first = await check(original, ['--fix', 'repaired.csv']);
    expect(first.stderr).toBe('Wrote repaired.csv\n');
    expect(await readFile(join(cwd, 'repaired.csv'), 'utf8')).toBe(
      original
        .replace('04:09:00 PM', '16:9')
        .replace('09:16:00 AM', '9:16')
        .replace('01:01:00 AM', '1:1')
        .replace('04:05:00 AM', '4:5'),
    );
    const again = await check(original, ['--fix', 'repaired.csv']);
    expect(again.exitCode).toBe(2);
    expect(again.stderr).toBe('Cannot write repaired.csv: the file exists; choose another name\n');
    const itself = await check(original, ['--fix', 'spring.csv']);
    expect(itself.exitCode).toBe(2);
    expect(await readFile(join(cwd, 'spring.csv'), 'utf8')).toBe(original);
    expect((await readdir(cwd)).sort()).toEqual(['repaired.csv', 'spring.csv']);
  });

  test('the repaired file has no repairs left', async () => {
    await check(await readFile(fixture('lo_saved_en-US.csv'), 'utf8'), ['--fix', 'repaired.csv']);
    const { stdout } = await runCommand(['check', 'repaired.csv', '--json'], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ repairs: 0, errors: 3 });
  });

  test('--strict makes errors of repairs, and says what they would be', async () => {
    const content = `id,prompt,ratio\na1,${prompt},16:09\n`;
    const { stdout, exitCode } = await check(content, ['--strict']);
    expect(exitCode).toBe(1);
    expect(stdout).toContain(
      'row 2 (line 2) C ratio error 16:09 -> 16:9 is a repair, which --strict refuses; a spreadsheet had made a time of 16:9\n',
    );
    expect(stdout).toContain('then greenlight check spring.csv --strict (--fix <file> writes the repairs)\n');
    expect((await check(content)).exitCode).toBe(0);
    expect((await check(content, ['--strict', '--fix', 'fixed.csv'])).exitCode).toBe(1);
    expect(await readFile(join(cwd, 'fixed.csv'), 'utf8')).toBe(content.replace('16:09', '16:9'));
  });

  test('findings stand in the order of the sheet', async () => {
    const rows = ['a1,short,8', `a2,${prompt},x`, 'a3,brief,8', `a2,${prompt},8`, `a5,${prompt} again,y`];
    const { stdout } = await check(`id,prompt,duration\n${rows.join('\n')}\n`);
    const places = stdout.match(/^row \d+ \(line \d+\) \w/gm);
    expect(places).toEqual([
      'row 2 (line 2) B',
      'row 3 (line 3) C',
      'row 4 (line 4) B',
      'row 5 (line 5) A',
      'row 6 (line 6) C',
    ]);
  });

  test('what comes next is what was asked now', async () => {
    const content = `id,prompt\na1,${prompt}\n`;
    const flags = ['--campaign', 'spring', '--encoding', 'utf-8'];
    const { stdout } = await check(content, flags, 'spring (1).csv');
    expect(stdout).toContain("Next: greenlight plan 'spring (1).csv' --campaign spring --encoding utf-8\n");
  });

  test('what comes after a repair is the repaired file, in the campaign of the original', async () => {
    const content = `id,prompt,ratio\na1,${prompt},16:09\n`;
    const fixed = await check(content, ['--fix', 'fixed.csv']);
    expect(fixed.stdout).toContain('Next: greenlight plan fixed.csv --campaign spring\n');
    const wrong = await check(`${content}a2,short,16:09\n`, ['--fix', 'again.csv']);
    expect(wrong.stdout).toContain(
      'Next: correct the errors in again.csv, then greenlight check again.csv --campaign spring\n',
    );
  });

  test.each([
    ['none/fixed.csv', 'there is no folder none; create it, or choose another'],
    ['spring.csv/fixed.csv', 'spring.csv is not a folder; choose another'],
    ['-', 'name a file'],
  ])('a repair that cannot be written to %s says so', async (to, why) => {
    const { stderr, exitCode } = await check(`id,prompt\na1,${prompt}\n`, ['--fix', to]);
    expect(stderr).toBe(`Cannot write ${to === '-' ? 'to -' : to}: ${why}\n`);
    expect(exitCode).toBe(2);
  });

  test('briefs are for JSON alone', async () => {
    const { stderr, exitCode } = await check(`id,prompt\na1,${prompt}\n`, ['--briefs']);
    expect([exitCode, stderr]).toEqual([2, 'Cannot show --briefs: it needs --json\n']);
  });

  test.each([
    [['check', 'none.csv'], 'Cannot use the manifest: there is no file none.csv\n'],
    [['check', '.'], 'Cannot use the manifest: . is a folder, and a manifest is a CSV, XLSX or YAML file\n'],
  ])('a file that cannot be used is exit 2: %j', async (args, message) => {
    expect(await runCommand(args, { cwd })).toEqual({ exitCode: 2, stdout: '', stderr: message });
  });

  test.each([
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), [], 'its content is image/png'],
    ['noise', Buffer.alloc(64, '\x01\x02\x03\x04'), [], 'its content is binary'],
    ['a broken workbook', Buffer.from('PK\x03\x04 and more'), [], 'its end is missing'],
    ['a sheet of CSV', Buffer.from('id,prompt\n'), ['--sheet', 'A'], 'it is CSV, which has no sheets'],
    ['another encoding', Buffer.from('id,prompt\na,\xe9\n', 'latin1'), ['--encoding', 'utf-8'], 'byte 13 is not UTF-8'],
  ])('a file that cannot be used is named: %s', async (_what, content, flags, why) => {
    await writeFile(join(cwd, 'brand.csv'), content);
    const { stderr, exitCode } = await runCommand(['check', 'brand.csv', ...flags], { cwd });
    expect(stderr).toMatch(`Cannot use brand.csv: ${why}`);
    expect(exitCode).toBe(2);
  });

  test('a file that is not there is JSON where JSON is asked for', async () => {
    const { stdout, exitCode } = await runCommand(['check', 'none.csv', '--json'], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ manifest: 'none.csv', errors: 1, findings: [{ code: 'missing_file' }] });
    expect(exitCode).toBe(2);
  });

  test('what is no manifest is JSON where JSON is asked for', async () => {
    await writeFile(join(cwd, 'a.csv'), Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
    const { stdout, exitCode } = await runCommand(['check', 'a.csv', '--json', '--briefs'], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ errors: 1, findings: [{ code: 'not_a_manifest' }], briefs_detail: [] });
    expect(exitCode).toBe(2);
  });

  test('takes the name of the campaign, the sheet and the encoding', async () => {
    const named = await check(`id,prompt\na1,${prompt}\n`, ['--campaign', 'spring', '--json'], 'spring (1).csv');
    expect(JSON.parse(named.stdout)).toMatchObject({ campaign: 'spring', errors: 0 });
    const unnamed = await check(`id,prompt\na1,${prompt}\n`, ['--json'], 'spring (1).csv');
    expect(JSON.parse(unnamed.stdout).findings).toMatchObject([{ code: 'campaign_name' }]);
    const encoded = await check(`id,prompt\na1,${prompt}\n`, ['--encoding', 'utf-8', '--json']);
    expect(JSON.parse(encoded.stdout)).toMatchObject({ encoding: 'UTF-8', errors: 0 });
    const sheet = await check(`id,prompt\na1,${prompt}\n`, ['--sheet', 'A']);
    expect(sheet.exitCode).toBe(2);
  });

  test('private references are allowed by the configuration alone', async () => {
    const content = `id,prompt,ref 1,ref 1 role\na1,${prompt},https://10.0.0.1/a.png,product\n`;
    expect((await check(content)).exitCode).toBe(1);
    await writeFile(join(cwd, 'greenlight.config.yaml'), 'allowPrivateReferences: true\n');
    expect((await check(content)).exitCode).toBe(0);
  });

  test('prints no control character of a sheet', async () => {
    const { stdout } = await check(`id,prompt,own\u001b[31m\na\u001b[2J1,"${prompt}\u001b]0;x\u0007",y\n`);
    expect(stdout).not.toContain('\u001b');
    expect(stdout).not.toContain('\u0007');
  });

  test('needs no home and leaves none', async () => {
    await check(`id,prompt\na1,${prompt}\n`);
    expect(existsSync(join(cwd, '.greenlight'))).toBe(false);
  });
});

describe('a sheet at an address', () => {
  test('is checked like a file; plain http only where the configuration allows private addresses', async () => {
    const service = await scriptedService((_, response) => response.end(`id,prompt\nhero,${prompt}\n`));
    try {
      const address = `http://127.0.0.1:${service.port}/spring.csv`;
      const refused = await runCommand(['check', `${address}?sig=secret`], { cwd });
      expect(refused).toMatchObject({ exitCode: 2, stderr: `Cannot read ${address}: it is not an https address\n` });
      await writeFile(join(cwd, 'greenlight.config.yaml'), 'allowPrivateReferences: true\n');
      const { exitCode, stdout } = await runCommand(['check', `${address}?sig=secret`, '--json'], { cwd });
      expect(exitCode).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ rows: 1, errors: 0 });
    } finally {
      await service.close();
    }
  });
});
