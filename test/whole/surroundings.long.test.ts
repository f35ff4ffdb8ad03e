import { execFile } from 'node:child_process';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../home/free-port.js';
import { smallDisk } from '../archive/small-disk.js';
import { builtProgram } from './build.js';
import { type Ended, expectPromisesKept, makeHome, threeBriefs } from './home.js';
import { apiKey, serveMovies, serviceAt } from './service.js';

const minutes = 60_000;
const money = ['--budget', '20USD', '--yes'];

/** The last line is the one that says what is wrong; no stack, no second one. */
function expectOneClearLine({ stderr }: Ended, says: RegExp): void {
  const lines = stderr.trimEnd().split('\n');
  expect(lines.filter((line) => /Cannot /.test(line))).toHaveLength(1);
  expect(lines.at(-1)).toMatch(says);
  expect(stderr).not.toMatch(/^\s+at /m);
}

describe('a movie service that does not serve', () => {
  test('refuses our key: exit 4, and neither key is shown', { timeout: 4 * minutes }, async () => {
    const home = await makeHome();
    const service = await serveMovies();
    const ended = await home.run(
      ['run', await home.sheet(threeBriefs), ...money],
      serviceAt(service.port, 'sk_another_key'),
    );
    expect(ended.code, ended.stderr).toBe(4);
    expectOneClearLine(ended, /401.*check MOVIE_API_KEY/);
    expect(ended.stderr + ended.stdout).not.toMatch(new RegExp(`${apiKey}|sk_another_key`));
    expect(service.studio.books().creates).toEqual([]);
    expect(await home.aliveParts()).toEqual([]);
  });

  test('is not there: exit 4, and its address is to be checked', { timeout: 4 * minutes }, async () => {
    const home = await makeHome();
    const gone = await serveMovies();
    await gone.close();
    const ended = await home.run(['run', await home.sheet(threeBriefs), ...money], serviceAt(gone.port));
    expect(ended.code, ended.stderr).toBe(4);
    expectOneClearLine(ended, /check MOVIE_API_URL/);
    expect(await home.aliveParts()).toEqual([]);
  });
});

describe('a Temporal that cannot be worked with', () => {
  const commands = [['worker'], ['doctor']];

  test('is not there: exit 4, and its address is to be checked', { timeout: 4 * minutes }, async () => {
    const home = await makeHome();
    const env = { TEMPORAL_ADDRESS: `127.0.0.1:${await freePort()}` };
    for (const command of [...commands, ['run', await home.sheet(threeBriefs), ...money]]) {
      const ended = await home.run(command, env);
      expect(ended.code, `${command}: ${ended.stderr}`).toBe(4);
      expect(ended.stdout + ended.stderr).toMatch(
        /Cannot reach Temporal at 127\.0\.0\.1:\d+ \(ECONNREFUSED\); check TEMPORAL_ADDRESS/,
      );
      if (command[0] !== 'doctor') expectOneClearLine(ended, /check TEMPORAL_ADDRESS/);
    }
    expect(await home.aliveParts()).toEqual([]);
  });

  test('lacks the namespace: exit 4, and the namespace is named', { timeout: 4 * minutes }, async () => {
    const home = await makeHome();
    const worker = home.start(['worker']);
    await home.until(worker, () => /^Working: /m.test(worker.stderr()));
    const env = { TEMPORAL_ADDRESS: `127.0.0.1:${await home.temporalPort()}`, TEMPORAL_NAMESPACE: 'nowhere' };
    const other = await makeHome();
    for (const command of commands) {
      const ended = await other.run(command, env);
      expect(ended.code, `${command}: ${ended.stderr}`).toBe(4);
      expect(ended.stdout + ended.stderr).toMatch(/has no namespace "nowhere"; check TEMPORAL_NAMESPACE/);
    }
    expect(await other.aliveParts()).toEqual([]);
  });
});

test('a build that was broken off: the worker says so, and ends', { timeout: 4 * minutes }, async () => {
  const home = await makeHome();
  const whole = dirname(dirname(dirname(await builtProgram())));
  const broken = join(whole, '..', `broken-${process.pid}`);
  onTestFinished(() => rm(broken, { recursive: true, force: true }));
  await cp(whole, broken, { recursive: true, verbatimSymlinks: true });
  await rm(join(broken, 'dist', 'workflows', 'bundle.js'));
  await rm(join(broken, 'workflows'));
  const ended = await home.run(['worker'], {}, join(broken, 'dist', 'cli', 'main.js'));
  expect(ended.code, ended.stderr).toBe(1);
  expectOneClearLine(ended, /this build lacks .*bundle\.js; run "npm run build"/);
  expect(await home.aliveParts()).toEqual([]);
});

describe('a manifest that is none', () => {
  test('a folder, a picture, a missing file: exit 2, and nothing is started', { timeout: 4 * minutes }, async () => {
    const home = await makeHome();
    await mkdir(join(home.folder, 'briefs'));
    await writeFile(join(home.folder, 'picture.csv'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 255, 254, 0]));
    const says = [
      ['briefs', /briefs/],
      ['picture.csv', /its content is binary/],
      ['missing.csv', /missing\.csv/],
    ] as const;
    for (const [name, words] of says) {
      const ended = await home.run(['run', name, ...money]);
      expect(ended.code, `${name}: ${ended.stderr}`).toBe(2);
      expectOneClearLine(ended, words);
    }
    expect(await home.aliveParts()).toEqual([]);
  });
});

describe('a disk that takes nothing', () => {
  test('a home that cannot be made: one line, exit 2', { timeout: 4 * minutes }, async () => {
    const home = await makeHome();
    const sheet = await home.sheet(threeBriefs);
    // A file in the way: unlike a folder without permissions, it also stops an administrator.
    const ended = await home.run(['run', sheet, ...money], { GREENLIGHT_HOME: join(sheet, 'home') });
    expect(ended.code, ended.stderr).toBe(2);
    expectOneClearLine(ended, /is a file, not a folder/);
  });

  test(
    'an archive that is full: rows wait for room, and nothing is lost or paid twice',
    { timeout: 6 * minutes },
    async ({ skip }) => {
      const home = await makeHome();
      const disk = await smallDisk(join(home.folder, 'small'), 64 * 1024);
      if (!disk) return skip('mounting a small disk needs an administrator');
      onTestFinished(() => disk.unmount());
      const service = await serveMovies();
      const env = serviceAt(service.port);
      const args = ['run', await home.sheet(threeBriefs), ...money, '--out', join(home.folder, 'small')];
      const run = home.start(args, env);
      await home.until(run, ({ rows }) => rows.archiving === 3 && /disk is full/.test(run.stderr()));
      run.signal('SIGINT');
      expect((await run.ended).code).toBe(130);

      await promisify(execFile)('mount', ['-o', 'remount,size=64m', join(home.folder, 'small')]);
      const again = await home.run(args, env);
      expect(again.code, again.stderr).toBe(0);
      const books = service.studio.books();
      expect(books.creates).toHaveLength(3);
      await expectPromisesKept({ ...home, archive: join(home.folder, 'small') }, books);
    },
  );
});
