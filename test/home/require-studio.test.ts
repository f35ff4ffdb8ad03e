import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { requireStudio } from '../../home/require-studio.js';

const dependenciesOf = (path: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')).dependencies;

test('an installation without the studio says so, and what would do', () => {
  const elsewhere = createRequire(join(tmpdir(), 'none.js')).resolve;
  expect(() => requireStudio('Cannot start the studio', elsewhere)).toThrow(
    'Cannot start the studio: the package greenlight-studio is not installed; install it (npm ci), or set MOVIE_API_URL to use another movie service',
  );
  expect(() => requireStudio('Cannot start the studio')).not.toThrow();
});

test('what draws, encodes and reads documents is a dependency of the studio alone', () => {
  const [own, studio] = [dependenciesOf('package.json'), dependenciesOf('studio/package.json')];
  const drawing = Object.keys(studio).filter((name) => /^@fontsource|canvas|busboy|mammoth|unpdf/.test(name));
  expect(drawing.length).toBeGreaterThan(30);
  // The desk has its own typeface, 2 MB, and takes uploads.
  expect(drawing.filter((name) => name in own)).toEqual(['@fontsource-variable/inter', 'busboy']);
});

test('a dependency of both has one version, so that it is installed once', () => {
  const [own, studio] = [dependenciesOf('package.json'), dependenciesOf('studio/package.json')];
  for (const name of Object.keys(studio).filter((each) => each in own)) expect(studio[name], name).toBe(own[name]);
});
