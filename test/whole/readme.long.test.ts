import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { example, makeHome } from './home.js';

const readme = fileURLToPath(new URL('../../README.md', import.meta.url));

/** What differs from one machine and day to the next. */
const passing = [
  /^(?:Starting )?Temporal /,
  /^\d{4}-\d\d-\d\dT/,
  /^spring-launch-1 .*: 6 rows, pricing 6$/,
  /^from .*, 6 rows, by /,
];

test('the README shows what its first command prints; -u writes it', async () => {
  const home = await makeHome();
  const { code, stderr, stdout } = await home.run(['run', example, '--budget', '500USD', '--yes', '--render', 'draft']);
  expect(code, stderr).toBe(0);
  const lines = (stderr + stdout).split('\n').filter((line) => !passing.some((form) => form.test(line)));
  const sample = lines
    .join('\n')
    .trim()
    .replace(/ by \S+$/m, ' by you')
    .replace(/ in (?:\d+ min )?\d+ s:/, ' in 6 s:');
  const text = await readFile(readme, 'utf8');
  const shown = /(\n```\n)spring-launch-1 [\s\S]*?(\n```\n)/;
  expect(text).toMatch(shown);
  await expect(text.replace(shown, (_, begin, end) => begin + sample + end)).toMatchFileSnapshot(readme);
}, 240_000);
