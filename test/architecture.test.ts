import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { mayImport, typesFrom } from './import-table.js';

const root = fileURLToPath(new URL('..', import.meta.url));

const everything = ['bench', 'test'];
/** Drawers that swallow whatever has no name. */
const noDrawers = /^(utils?|helpers?|shared|lib|types|constants)(\.[a-z]+)*$/;

interface Import {
  readonly file: string;
  readonly specifier: string;
  readonly typeOnly: boolean;
}

describe('architecture', () => {
  const imports = sourceFiles().flatMap((file) => importsOf(file, readFileSync(join(root, file), 'utf8')));

  test('every folder imports only what the table allows', () => {
    expect(imports.filter((one) => !allowed(one)).map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual(
      [],
    );
  });

  test('the table refuses a planted violation of every kind', () => {
    const planted = [
      ["import { readFile } from 'node:fs/promises';", 'domain/plan.ts'],
      ["import { z } from 'zod';", 'domain/plan.ts'],
      ["import { createHash } from 'node:crypto';", 'workflows/slice-workflow.ts'],
      ["import { z } from 'zod';", 'workflows/slice-workflow.ts'],
      ["import { admitRow } from '../ledger/orders/admission.js';", 'workflows/slice-workflow.ts'],
      ["export { admitRow } from '../ledger/orders/admission.js';", 'api/movie-api.ts'],
      ["const { admitRow } = await import('../ledger/orders/admission.js');", 'studio/studio.ts'],
      ["import { createActivities } from '../activities/create-activities.js';", 'workflows/slice-workflow.ts'],
      ["import { createStudio } from '../studio/studio.js';", 'worker/worker.ts'],
      ["import { readBatch } from '../../ledger/batches/batches.js';", 'cli/commands/status.ts'],
      ["import { type BatchView, readBatch } from '../../ledger/batches/batches.js';", 'cli/commands/status.ts'],
    ];
    for (const [source, file] of planted) {
      const [only] = importsOf(file ?? '', source ?? '');
      expect(only && allowed(only), `${file}: ${source}`).toBe(false);
    }
  });

  test('one file alone knows whether it was built', () => {
    const asks = /import\.meta\.url\.\w+\(|['"](?:[./][\w./-]*)?\.ts['"]/;
    const files = sourceFiles().filter((file) => !everything.includes(file.split('/')[0] ?? '') && file.includes('/'));
    expect(files.filter((file) => asks.test(readFileSync(join(root, file), 'utf8')))).toEqual([
      'processes/own-code.ts',
    ]);
    expect(asks.test("fileURLToPath(new URL('../workflows/index.ts', import.meta.url))")).toBe(true);
    expect(asks.test("const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';")).toBe(true);
  });

  test('types of activities may be imported by workflows', () => {
    const [only] = importsOf('workflows/a.ts', "import type { Activities } from '../activities/activities.js';");
    expect(only && allowed(only)).toBe(true);
  });

  test('nothing is called after a drawer', () => {
    const names = sourceFiles().flatMap((file) => file.split('/'));
    expect(names.filter((name) => noDrawers.test(name))).toEqual([]);
  });
});

function allowed({ file, specifier, typeOnly }: Import): boolean {
  const folder = file.split('/')[0] ?? '';
  if (everything.includes(folder) || !file.includes('/')) return true;
  const bare = specifier.replace(/^node:/, '').split('/')[0] ?? '';
  const fromNode = specifier.startsWith('node:') || builtinModules.includes(bare);
  const pure = folder === 'domain' || folder === 'workflows';
  if (specifier === 'node:crypto' && folder === 'domain') return true; // digests; the workflows' bundle has none of them
  if (!specifier.startsWith('.')) return !(pure && (fromNode || bare === 'zod'));
  const target = normalize(join(dirname(file), specifier)).replace(/\.[jt]sx?$/, '');
  const reach = [folder, ...(mayImport[folder] ?? []), ...(typeOnly ? (typesFrom[folder] ?? []) : [])];
  return reach.some((place) => target === place || target.startsWith(`${place}/`));
}

/** Static, re-exported and dynamic imports, as text: enough for a table of folders, and it cannot miss a form in use. */
function importsOf(file: string, source: string): readonly Import[] {
  const statics = /^\s*(import|export)\s+(type\s)?[^'";]*?from\s+'([^']+)'/gm;
  const bare = /^\s*import\s+'([^']+)'/gm;
  const dynamic = /\bimport\(\s*'([^']+)'\s*\)/g;
  return [
    ...[...source.matchAll(statics)].map((m) => ({ file, specifier: m[3] ?? '', typeOnly: m[2] !== undefined })),
    ...[...source.matchAll(bare)].map((m) => ({ file, specifier: m[1] ?? '', typeOnly: false })),
    ...[...source.matchAll(dynamic)].map((m) => ({ file, specifier: m[1] ?? '', typeOnly: false })),
  ];
}

function sourceFiles(): readonly string[] {
  const skipped = new Set(['node_modules', 'dist', '.git', '.greenlight', 'out', 'fixtures', 'coverage']);
  const walk = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      if (skipped.has(entry.name)) return [];
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return walk(path);
      return /\.tsx?$/.test(entry.name) ? [relative(root, path)] : [];
    });
  return walk(root);
}
