import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commandTable } from '../../../cli/command-table.js';
import { completionScripts } from '../../../cli/completion/scripts.js';
import { openPlace, type Place } from '../terminal.js';

let place: Place;
beforeEach(async () => {
  place = await openPlace();
  await place.scene.fund('acme/emea', 10_000);
  await place.scene.make(['hero', 'loop'], { settings: { budgetPath: 'acme/emea' } });
});
afterEach(() => place.close());

async function completed(...words: readonly string[]): Promise<readonly string[]> {
  const { out, code } = await place.run(['__complete', '--', ...words]);
  expect(code).toBe(0);
  return out
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t')[0] ?? '');
}

describe('what a shell offers', () => {
  test('commands, with what they do', async () => {
    expect(await completed('')).toEqual(expect.arrayContaining(commandTable.map(({ name }) => name)));
    expect((await place.run(['__complete', '--', 'bund'])).out).toBe(
      'bundle\tWrite a folder to hand over: films, gallery, results\n',
    );
    expect(await completed('budget', 's')).toEqual(['show', 'set', 'stop', 'start']);
  });

  test.each([
    [
      ['run', '--re'],
      ['--respend', '--render'],
    ],
    [
      ['--quiet', 'run', '--progress', ''],
      ['auto', 'live', 'plain', 'quiet'],
    ],
    [['run', '--qu'], ['--quiet']],
    [['approve', ''], ['spring-1']],
    [['approve', 'spring-1', '-y', ''], []],
    [
      ['bundle', 'spr'],
      ['spring-1', 'spring'],
    ],
    [
      ['bundle', '--title', 'a word', 'spr'],
      ['spring-1', 'spring'],
    ],
    [['cancel', 'spring-1', 'h'], ['hero']],
    [
      ['cancel', 'spring-1', 'hero', ''],
      ['hero', 'loop'],
    ],
    [['budget', 'show', ''], ['acme/emea']],
    [['run', 'sheet.csv', '--campaign', ''], ['spring']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['check', 'sheet'], []], // a file
    [['nonsense', ''], []],
  ])('%j: %j', async (words, offered) => {
    expect(await completed(...words)).toEqual(offered);
  });

  test('nothing, and no word of it, where there is no ledger', async () => {
    const ran = await place.run(['__complete', '--', 'approve', ''], { env: { GREENLIGHT_HOME: 'nowhere' } });
    expect(ran).toEqual({ out: '', err: '', code: 0 });
  });
});

describe('the scripts', () => {
  test('are printed for each shell; another one is refused with those that there are', async () => {
    for (const [shell, script] of Object.entries(completionScripts)) {
      expect((await place.run(['completion', shell])).out).toBe(script);
    }
    expect((await place.run(['completion', 'csh'])).err).toMatch(/csh.*bash, zsh, fish/s);
  });

  test('the one for bash hands the words up to the cursor over, and offers what comes back', async () => {
    const told = `greenlight() { printf '%s\\n' "$*" >&2; printf 'spring-1\\tclosed\\nspring-2\\tin progress\\n'; }`;
    const typed = `COMP_WORDS=(greenlight approve "spr" later); COMP_CWORD=2; _greenlight; printf '[%s]' "\${COMPREPLY[@]}"`;
    const script = completionScripts.bash.replace(' 2>/dev/null', '');
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', `${told}\n${script}\n${typed}`]);
    expect(stdout).toBe('[spring-1][spring-2]');
    expect(stderr).toBe('__complete\n--\napprove\nspr\n');
  });
});
