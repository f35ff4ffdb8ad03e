import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commandTable } from '../../cli/command-table.js';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const names = commandTable.map(({ name }) => name);

/** Words in code marks in the tables of a section. */
function namedIn(heading: string): readonly string[] {
  const [, section = ''] = new RegExp(`\\n## ${heading}\\n([\\s\\S]*?)\\n## `).exec(readme) ?? [];
  const cells = [...section.matchAll(/^\| (.*) \|$/gm)].flatMap(([, row = '']) => row);
  return cells.flatMap((row) => [...row.matchAll(/`([a-z][a-z-]*)[^`]*`/g)].map(([, name = '']) => name));
}

test('the table of commands in the README has every command, and the tables have no others', () => {
  expect(names.filter((name) => !namedIn('Commands').includes(name))).toEqual([]);
  expect(namedIn('By role').filter((name) => !names.includes(name))).toEqual([]);
});
