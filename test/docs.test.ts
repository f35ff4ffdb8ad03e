import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { mayImport, typesFrom } from './import-table.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];
const read = (page: string) => readFileSync(join(root, page), 'utf8');
/** Folders of the product whose paths are written in code marks. */
const folders = Object.keys(mayImport).concat('cli', 'test', 'bench', 'docs');

describe('documents', () => {
  test.each(pages)('%s names only what is there', (page) => {
    expect(deadLinks(page, read(page))).toEqual([]);
  });

  test.each(pages.filter((page) => page.startsWith('docs')))('%s is short and reached from the README', (page) => {
    expect(read(page).split('\n').length).toBeLessThanOrEqual(200);
    expect(reached('README.md')).toContain(page);
  });

  test('a dead link and a path that is gone are found', () => {
    const text = 'See [money](docs/no-such-page.md), `ledger/no-such-file.ts` and `domain/money.ts`.';
    expect(deadLinks('README.md', text)).toEqual(['docs/no-such-page.md', 'ledger/no-such-file.ts']);
  });

  test('every folder of the product has its line, and a new one without is found', () => {
    const named = foldersNamed(read('docs/where.md'));
    expect(sourceFolders().filter((folder) => !named.has(folder))).toEqual([]);
    expect(foldersNamed('| `domain/`, `ledger/money/` | x |\n\n`api/`')).toEqual(new Set(['domain', 'ledger/money']));
  });

  test('the import table is the one that is tested', () => {
    const [, shown = ''] =
      /<!-- import table -->\n([\s\S]*?)<!-- end of import table -->/.exec(read('docs/architecture.md')) ?? [];
    expect(shown.trim()).toBe(importTable());
  });
});

function deadLinks(page: string, text: string): readonly string[] {
  const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]+)[^)]*\)/g)].map(([, to = '']) => to);
  const paths = [...text.matchAll(/`([a-z]+\/[\w./-]*)`/g)].map(([, to = '']) => to);
  const named = paths.filter((path) => folders.includes(path.split('/')[0] ?? ''));
  return [
    ...links.filter((to) => !existsSync(join(root, dirname(page), to))),
    ...named.filter((to) => !existsSync(join(root, to)) && !existsSync(join(root, `${to}.ts`))),
  ];
}

/** Pages that a reader gets to by links, from one page on. */
function reached(from: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(from)) return seen;
  seen.add(from);
  for (const [, to = ''] of read(from).matchAll(/\]\((?!https?:)([^)#\s]+\.md)[^)]*\)/g)) {
    reached(normalize(relative(root, join(root, dirname(from), to))), seen);
  }
  return seen;
}

/** Those that the first column of a table names. */
function foldersNamed(page: string): ReadonlySet<string> {
  const cells = [...page.matchAll(/^\| ([^|]*) \|/gm)].map(([, cell = '']) => cell);
  return new Set(cells.flatMap((cell) => [...cell.matchAll(/`([a-z0-9/-]+)\/`/g)].map(([, folder = '']) => folder)));
}

/** Folders of the product in which code lies, with the path from the root. */
function sourceFolders(): readonly string[] {
  const within = (folder: string) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !name.includes('node_modules'))
      .map((name) => dirname(join(folder, name)));
  return [...new Set(Object.keys(mayImport).flatMap(within))];
}

function importTable(): string {
  const names = (list: readonly string[] = []) => list.map((name) => `\`${name}\``).join(', ') || '–';
  const rows = Object.entries(mayImport).map(
    ([folder, from]) => [`\`${folder}/\``, names(from), names(typesFrom[folder])] as const,
  );
  const head = ['folder', 'may import at run time', 'types also from'] as const;
  const all = [head, ...rows];
  const width = (column: 0 | 1 | 2) => Math.max(...all.map((row) => row[column].length));
  const line = (row: readonly [string, string, string]) =>
    `| ${row.map((cell, index) => cell.padEnd(width(index as 0 | 1 | 2))).join(' | ')} |`;
  const rule = `| ${[0, 1, 2].map((column) => '-'.repeat(width(column as 0 | 1 | 2))).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}
