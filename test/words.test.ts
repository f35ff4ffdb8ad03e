import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { mayImport } from './import-table.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Phrases that readers stumbled over, taken out of everything that a person reads. They do not come back. */
const outPhrases = [
  /(?<!such )\bas (?:\d+USD|spring-launch-\d|acme\/|2026-)/,
  /nobody is there to be asked/,
  /hold (?:an invoice|every delivered file|the books) against/,
  /told yet/,
  /Again = leave now/,
  /empty = no/,
  /has not the role/,
  /so many at most/,
  /several times for several/,
  /takes responsibility/,
  /plan in that/,
  /may not be written/,
  /missing (?:here|there): (?:invoiced|in the)/,
  /beside these/,
  /films of the home/,
  /until told to stop/,
  /the lineage of its ids/,
  /in the making (?:go|leave)/,
  /goes on (?:as|by|at|with|past)\b/,
  /tried again by itself/,
  /takes nothing since/,
  /beside the (?:manifest|movies)/,
  /between two looks/,
  /is told (?:to|of) /,
  /not good, or not/,
  /has other content now/,
  /these very rows/,
  /is there twice/,
  /a field stands under/,
  /not there to be asked/,
  /[;,] [^;,]+ would do\b/,
];

/** The same for what comments and docstrings say, which other people read. */
const outOfComments = [
  /(?<!there )\bis no (?!longer\b|such\b)[a-z]/i,
  /\b(?:for|to|of) who\b/,
  /\bat (?:most|least) so (?:many|long|often)\b/,
  /\bfor ever\b/,
  /\bhears? of\b/,
  /\bin the making\b/,
  /\bin the place of\b/,
  /\bside by side\b/,
  /\bthe (?:oldest|newest) first\b/,
  /@returns what ends it/,
];

const folders = [...Object.keys(mayImport), 'cli'];
const plainFolders =
  'studio conformance api archive manifests sheets invoices pricing telemetry worker home operations'.split(' ');

function* sources(folder: string): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (/\.tsx?$/.test(entry.name)) yield path;
  }
}

/** What stands in quotes: comments speak to other people. */
function texts(source: string): readonly string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  return [...code.matchAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g)].map(([text]) => text);
}

/** What comments say, each as one line. */
function comments(source: string): readonly string[] {
  const all = source.match(/(?<=^\s*)\/\*[\s\S]*?\*\/|(?<=^\s*|[;,{}()] )\/\/ .*$/gm) ?? [];
  return all.map((comment) => comment.replace(/\n\s*\* ?/g, ' '));
}

const found = (name: string, said: readonly string[], out = outPhrases) =>
  said.flatMap((text) => out.filter((phrase) => phrase.test(text)).map((phrase) => `${name}: ${phrase.source}`));

test('no screen, message or help says what was taken out', () => {
  const files = folders.flatMap((folder) => [...sources(folder)]);
  expect(files.flatMap((file) => found(file, texts(readFileSync(join(root, file), 'utf8'))))).toEqual([]);
  for (const page of ['README.md', 'CHANGELOG.md']) {
    expect(found(page, readFileSync(join(root, page), 'utf8').split('\n'))).toEqual([]);
  }
});

test('no comment says what was taken out of comments', () => {
  const files = plainFolders.flatMap((folder) => [...sources(folder)]);
  const said = (file: string) => comments(readFileSync(join(root, file), 'utf8'));
  expect(files.flatMap((file) => found(file, said(file), outOfComments))).toEqual([]);
});

test('a phrase that comes back is found', () => {
  expect(found('x.ts', texts("throw new Error('amount and currency, as 500USD');"))).toHaveLength(1);
  expect(found('x.ts', texts('// as 500USD is only a comment'))).toEqual([]);
  expect(found('x.ts', comments('/** A list for\n * who asks. */'), outOfComments)).toHaveLength(1);
  expect(found('x.ts', comments("f('it is no comment'); // nor is no reader"), outOfComments)).toHaveLength(1);
});
