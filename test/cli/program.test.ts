import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commandTable } from '../../cli/command-table.js';
import { openPlace, type Place } from './terminal.js';

let place: Place;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.close());

describe('the command line', () => {
  test('without a command shows the list, and every command shows an example with --help', async () => {
    const list = await place.run(['--help']);
    expect(list.code).toBe(0);
    for (const { name } of commandTable) {
      expect(list.out).toContain(`  ${name} `);
      const help = await place.run([name, '--help']);
      expect(help.out, name).toMatch(/\nExample:\n {2}greenlight /);
      expect(help.code, name).toBe(0);
    }
  }, 60_000);

  test('every command under another one has its own help with an example, asked for in either way', async () => {
    for (const { name } of commandTable) {
      const { out } = await place.run(['help', name]);
      const [, listed = ''] = /\nCommands:\n([\s\S]*?)\n\n/.exec(out) ?? [];
      const leaves = [...listed.matchAll(/^ {2}([a-z-]+)/gm)]
        .map(([, leaf = '']) => leaf)
        .filter((leaf) => leaf !== 'help');
      for (const leaf of leaves) {
        const help = await place.run(['help', name, leaf]);
        expect(help.out, `${name} ${leaf}`).toMatch(
          new RegExp(`^Usage: greenlight ${name} ${leaf}\\b[\\s\\S]*\nExample:\n  greenlight ${name}`),
        );
        expect((await place.run(['--help', name, leaf])).out).toBe(help.out);
      }
    }
    expect((await place.run(['help', 'cancle'])).err).toContain('Did you mean cancel?');
  }, 60_000);

  test('fits the list into 80 columns', async () => {
    const { out } = await place.run(['--help'], { tty: true, columns: 80 });
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test.each([
    [['stauts'], 'status'],
    [['aprove', 'spring-1'], 'approve'],
    [['status', '--wach'], '--watch'],
    [['budget', 'lsit'], 'list'],
  ])('%j is refused with what was probably meant', async (args, meant) => {
    const { err, out, code } = await place.run(args);
    expect(err).toContain(`Did you mean ${meant}?`);
    expect(out).toBe('');
    expect(code).toBe(2);
  });

  test.each([
    [['approve'], /missing required argument 'batch'/],
    [['run'], /missing required argument 'manifest'/],
    [['run', 'x.csv', '--canary', '0'], /whole number from 1/],
    [['run', 'x.csv', '--budget', '500'], /must name its currency, e\.g\. 500USD/],
    [['run', 'x.csv', '--include', 'faild'], /must be one of failed, canceled, lost/],
    [['status', 'spring-9'], /Cannot find batch spring-9/],
    [['run', 'nowhere.csv'], /there is no file \S*nowhere\.csv/],
    [['run', '.'], /is a folder/],
    [['verify', 'no/such/folder'], /there is no such folder/],
  ])('%j is one line and exit code 2', async (args, words) => {
    const { err, code } = await place.run(args);
    expect(err).toMatch(words);
    expect(err).not.toMatch(/\n {4}at /);
    expect(code).toBe(2);
  });

  test('prints its version', async () => {
    expect(await place.run(['--version'])).toEqual({ out: '0.0.0\n', err: '', code: 0 });
  });
});
