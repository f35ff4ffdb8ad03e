import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { initQuestions, settingsText } from '../../../cli/commands/init-settings.js';
import { readConfig } from '../../../home/config.js';
import { eachSetting } from '../../../home/settings.js';
import { openPlace, type Place } from '../terminal.js';

let place: Place;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.close());

const file = () => join(place.folder, 'greenlight.config.yaml');
const config = () => readConfig({ env: { MOVIE_API_KEY: 'k' }, cwd: place.folder });

describe('greenlight init', () => {
  test('asks five things, again where an answer cannot be used, and writes what the reader understands', async () => {
    const types = ['movies.example', 'https://movies.example/v1', 'books', '', 'many', '40', 'refunded'];
    const { out, err, code } = await place.run(['init'], { tty: true, types });
    expect([code, out]).toEqual([0, 'Wrote greenlight.config.yaml\n']);
    expect(err).toContain('"movies.example" cannot be used: must be an http or https address');
    expect(err).toContain('"many" cannot be used: must be a number');
    expect(err).toContain('Next: set MOVIE_API_KEY in the environment; then greenlight doctor');
    expect(await config()).toMatchObject({
      movieApi: { url: 'https://movies.example/v1' },
      ...{ home: join(place.folder, 'books'), archiveUrl: `file:${join(place.folder, 'out')}`, maxInFlight: 40 },
      billing: { failed: 'refunded' },
    });
  });

  test('Enter takes every default, as --yes does', async () => {
    await place.run(['init'], { tty: true, types: ['', '', '', '', ''] });
    const typed = await readFile(file(), 'utf8');
    expect(await config()).toMatchObject({ movieApi: null, maxInFlight: 100, billing: { failed: 'charged' } });
    await place.run(['init', '--yes', '--config', 'other.yaml']);
    expect(await readFile(join(place.folder, 'other.yaml'), 'utf8')).toBe(typed);
  });

  test('never overwrites', async () => {
    await writeFile(file(), 'maxInFlight: 7\n');
    const { err, code } = await place.run(['init', '--yes']);
    expect([code, err]).toEqual([2, expect.stringContaining('it exists and stays as it is')]);
    expect(await readFile(file(), 'utf8')).toBe('maxInFlight: 7\n');
  });

  test('without a terminal says what to pass, and takes it', async () => {
    const { err, code } = await place.run(['init', '--archive', 's3://films/acme'], { columns: 300 });
    expect([code, err]).toEqual([
      2,
      'Cannot ask: no terminal. Pass --movie-api-url, --home, --max-in-flight, --failed-movies, or --yes for the defaults\n',
    ]);
    expect((await place.run(['init', '--yes', '--max-in-flight', 'x'])).err).toContain(
      'Cannot use "x" for --max-in-flight: must be a number',
    );
    expect((await place.run(['init', '--yes', '--archive', 's3://films/acme'])).code).toBe(0);
    expect((await config()).archiveUrl).toBe('s3://films/acme');
  });

  test('a person who leaves leaves no file', async () => {
    const { code } = await place.run(['init'], { tty: true, types: ['', '\u0004'] });
    expect(code).toBe(130);
    await expect(readFile(file())).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('every question is about a setting that there is', () => {
    const keys = eachSetting().map(({ key }) => key);
    expect(initQuestions.map(({ key }) => key).filter((key) => !keys.includes(key))).toEqual([]);
    const answers = { movieApi: '', home: 'a: b', archive: 'file:out', maxInFlight: '1', failed: 'charged' };
    expect(settingsText(answers)).toContain('home: "a: b"');
    expect(
      settingsText(answers)
        .split('\n')
        .filter((line) => line.length > 80),
    ).toEqual([]);
  });
});
