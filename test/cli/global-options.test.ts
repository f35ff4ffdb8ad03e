import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openPlace, type Place } from './terminal.js';

let place: Place;
beforeEach(async () => {
  place = await openPlace();
  await place.scene.fund('acme', 10_000);
  await place.scene.seal(['a']);
});
afterEach(() => place.close());

describe('options of every command, before its name and behind it', () => {
  test.each([
    ['--quiet', 'approve', 'spring-1', '-y'],
    ['approve', 'spring-1', '--yes', '-q'],
  ])('%s %s %s %s prints only what was asked for', async (...args) => {
    const { err, out, code } = await place.run(args);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('approved 1.00 USD');
  });

  test('--quiet keeps errors', async () => {
    const { err, code } = await place.run(['-q', 'status', 'nope']);
    expect([code, err]).toEqual([2, expect.stringMatching(/^Cannot /)]);
  });

  test('--no-color paints nothing on a terminal that has colours', async () => {
    const terminal = { tty: true, env: { NO_COLOR: '' } };
    await writeFile(join(place.folder, 'bad.csv'), 'id,prompt\na b,short\n');
    expect((await place.run(['check', 'bad.csv'], terminal)).out).toContain('\u001b[');
    expect((await place.run(['check', 'bad.csv', '--no-color'], terminal)).out).not.toContain('\u001b[');
  });

  test('--config names the settings file', async () => {
    await writeFile(join(place.folder, 'fleet.yaml'), 'home: home\nmaxInFlight: many\n');
    for (const args of [
      ['--config', 'fleet.yaml', 'status'],
      ['status', '--config', 'fleet.yaml'],
    ]) {
      const { err, code } = await place.run(args);
      expect([code, err]).toEqual([2, expect.stringContaining('maxInFlight: must be a number (fleet.yaml, line 2)')]);
    }
  });
});
