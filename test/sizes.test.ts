import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/*
 * How much stands in one place. Functions over 60 lines and circles between files are the linter's to find
 * (.oxlintrc.json).
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const mostBesideEachOther = 25;
/** A file for each command, named as it is typed. */
const long = ['cli/commands'];

function crowded(paths: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return [...counts]
    .filter(([folder, count]) => count > mostBesideEachOther && !long.includes(folder))
    .map(([folder, count]) => `${folder}: ${count}`);
}

/** The length that this share of the files does not exceed. */
function lengthAt(share: number, lengths: readonly number[]): number {
  return lengths.toSorted((a, b) => a - b)[Math.ceil(share * lengths.length) - 1] ?? 0;
}

const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  .toString()
  .split('\0')
  .filter((path) => path !== '');

test('no folder has more files beside each other than a glance takes in', () => {
  expect(crowded(files)).toEqual([]);
  expect(crowded(Array.from({ length: 26 }, (_, index) => `planted/${index}.ts`))).toEqual(['planted: 26']);
});

test('half of the files of the product have at most 70 lines, and nine of ten at most 150', () => {
  const product = files.filter((path) => /\.tsx?$/.test(path) && !/^(test|bench)\//.test(path));
  const lengths = product.flatMap((path) => linesOf(path));
  expect(lengthAt(0.5, lengths)).toBeLessThanOrEqual(70);
  expect(lengthAt(0.9, lengths)).toBeLessThanOrEqual(150);
  expect(lengthAt(0.9, [10, 20, 30, 40, 50, 60, 70, 80, 151, 151])).toBe(151);
});

/** None for a file that was deleted and not committed yet. */
function linesOf(path: string): readonly number[] {
  try {
    return [readFileSync(join(root, path), 'utf8').split('\n').length - 1];
  } catch {
    return [];
  }
}
