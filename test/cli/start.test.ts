import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('a command starts with what it needs', () => {
  test('help is told without any command', () => {
    expect(packagesOf('cli/main.ts')).toEqual(['@commander-js/extra-typings']);
  });

  test('a check of CSV loads a reader of CSV, and nothing of workbooks, YAML, encodings, the ledger or Temporal', () => {
    const loaded = ['cli/commands/check.ts', 'manifests/tables/csv-table.ts'].flatMap(packagesOf);
    expect([...new Set(loaded)].sort()).toEqual([
      ...['@commander-js/extra-typings', 'csv-parse', 'csv-parse/sync', 'p-limit'],
    ]);
  });

  test.each(['plan', 'status', 'approve', 'budget', 'spend', 'audit', 'cancel', 'results', 'people', 'policy'])(
    '%s loads neither Temporal’s client nor one of the movie service',
    (command) => {
      const loaded = packagesOf(`cli/commands/${command}.ts`);
      expect(loaded).toContain('kysely');
      for (const heavy of [
        '@temporalio/client',
        '@temporalio/worker',
        'undici',
        'log-update',
        'string-width',
        'hono',
      ]) {
        expect(loaded).not.toContain(heavy);
      }
    },
  );

  test('what is loaded later is not counted, and what is loaded through others is', () => {
    expect(staticImports("import type { A } from 'a';\nconst b = await import('b');\nexport { c } from 'c';")).toEqual([
      'c',
    ]);
    expect(packagesOf('home/temporal/temporal-client.ts')).toContain('@temporalio/client');
  });
});

/** Packages that are loaded before a file's first line runs. */
function packagesOf(file: string): readonly string[] {
  const seen = new Set<string>();
  const packages = new Set<string>();
  const open = [file];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    for (const specifier of staticImports(readFileSync(join(root, path), 'utf8'))) {
      if (specifier.startsWith('.')) open.push(join(path, '..', specifier.replace(/\.js$/, '.ts')));
      else if (!specifier.startsWith('node:')) packages.add(specifier);
    }
  }
  return [...packages].sort();
}

function staticImports(source: string): readonly string[] {
  const froms = /^(?:import|export)\s+(?!type\s)[^'";]*?from\s+'([^']+)'/gm;
  return [...source.matchAll(froms)].map(([, specifier = '']) => specifier);
}
