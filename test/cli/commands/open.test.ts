import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openPlace, type Place } from '../terminal.js';

let place: Place;
beforeEach(async () => {
  place = await openPlace();
  await place.scene.fund('acme', 10_000);
  await place.scene.make(['a']);
});
afterEach(() => place.close());

async function gallery(folder: string): Promise<void> {
  await mkdir(join(place.folder, folder), { recursive: true });
  await writeFile(join(place.folder, folder, 'gallery.html'), '<!doctype html>');
}

describe('greenlight open', () => {
  test('gives the gallery to the program of the system, and prints its path', async () => {
    await gallery('out/spring-1');
    const bin = join(place.folder, 'bin');
    await mkdir(bin);
    await writeFile(
      join(bin, 'xdg-open'),
      `#!/bin/sh\nprintf %s "$1" > "${place.folder}/opened.part"\nmv "${place.folder}/opened.part" "${place.folder}/opened"\n`,
    );
    await chmod(join(bin, 'xdg-open'), 0o755);
    const { out, err, code } = await place.run(['open', 'spring-1'], {
      env: { PATH: `${bin}:/usr/bin:/bin`, DISPLAY: ':0' },
    });
    expect([code, out, err]).toEqual([0, 'out/spring-1/gallery.html\n', '']);
    expect(await whenThere(join(place.folder, 'opened'))).toBe(join(place.folder, 'out/spring-1/gallery.html'));
  });

  test('prints the path where nothing can open it; a folder needs no ledger, and none means the newest batch', async () => {
    await gallery('spring-bundle');
    await gallery('out/spring-1');
    const env = { PATH: place.folder, DISPLAY: ':0' };
    expect(await place.run(['open', 'spring-bundle'], { env })).toMatchObject({
      ...{ code: 0, out: 'spring-bundle/gallery.html\n' },
      err: 'No program to open it was found here: open it in a browser\n',
    });
    expect((await place.run(['open'], { env: { DISPLAY: '' } })).out).toBe('out/spring-1/gallery.html\n');
  });

  test('of a campaign it is the newest batch that has a gallery; so it is where nothing is named', async () => {
    const env = { DISPLAY: '' };
    await gallery('out/spring-1');
    const [newest, winter] = [await place.scene.seal(['b']), await place.scene.seal(['w'], { campaign: 'winter' })];
    const both = async () => [
      (await place.run(['open', 'spring'], { env })).out,
      (await place.run(['open'], { env })).out,
    ];
    expect(await both()).toEqual(Array(2).fill('out/spring-1/gallery.html\n'));
    await gallery(`out/${newest}`);
    expect(await both()).toEqual(Array(2).fill(`out/${newest}/gallery.html\n`));
    const { err, code } = await place.run(['open', 'winter']);
    expect([code, err]).toEqual([2, expect.stringContaining(`greenlight results ${winter} writes it`)]);
  });

  test('says which command writes a gallery that is not there', async () => {
    const { err, code } = await place.run(['open', 'spring-1']);
    expect([code, err]).toEqual([2, expect.stringContaining('greenlight results spring-1 writes it')]);
    expect((await place.run(['open', 'nope'])).code).toBe(2);
  });
});

/** The opener lives on by itself: nothing says when it is done. */
async function whenThere(file: string): Promise<string> {
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text !== null) return text;
    await sleep(5);
  }
}
