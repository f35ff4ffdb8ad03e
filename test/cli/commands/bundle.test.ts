import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runProgram } from '../../../cli/program.js';
import type { CliContext } from '../../../cli/terminal/context.js';
import { smallDisk } from '../../archive/small-disk.js';
import { type DeliveredFilms, deliveredFilms } from '../../reports/delivered-films.js';
import { openPlace, type Place } from '../terminal.js';

let place: Place;
let films: DeliveredFilms;
beforeEach(async () => {
  place = await openPlace();
  films = deliveredFilms(place.scene);
  await place.scene.fund('acme', 10_000);
  const batchId = await place.scene.make(['hero', 'loop']);
  await films.deliver(batchId, 'hero', { verdict: 'needs review: 4 s against 5 s asked' });
  await writeArchive();
});
afterEach(() => place.close());

async function writeArchive(): Promise<void> {
  for (const [path, bytes] of films.files) {
    await mkdir(join(place.folder, 'out', path, '..'), { recursive: true });
    await writeFile(join(place.folder, 'out', path), bytes);
  }
}

const here = async () => (await readdir(place.folder)).sort();

describe('greenlight bundle', () => {
  test('writes a folder, says what to look at and how to open it', async () => {
    const { out, err, code } = await place.run(['bundle', 'spring-1']);
    expect(out.split('\n')).toEqual([
      'spring-1-bundle  1 film of spring-1, 0.0 MB, with gallery, results and checksums',
      'Open spring-1-bundle/gallery.html. To check it: cd spring-1-bundle && sha256sum -c SHA256SUMS',
      '',
    ]);
    expect(err).toBe(
      'Left out, not delivered: loop\nLook at these before you send it, they are not as ordered: hero\n',
    );
    expect(code).toBe(0);
    const folder = join(place.folder, 'spring-1-bundle');
    const lines = (await readFile(join(folder, 'SHA256SUMS'), 'utf8')).trimEnd().split('\n');
    for (const line of lines) {
      const [sum, name = ''] = line.split('  ');
      expect(
        createHash('sha256')
          .update(await readFile(join(folder, name)))
          .digest('hex'),
      ).toBe(sum);
    }
    expect(lines).toHaveLength(6);
  });

  test('writes a zip file of a campaign under the name that it is given', async () => {
    const { code } = await place.run(['bundle', 'spring', '--zip', '--out', 'for-acme.zip']);
    expect(code).toBe(0);
    expect(Object.keys(unzipSync(await readFile(join(place.folder, 'for-acme.zip'))))).toContain(
      'for-acme/films/1-hero.mp4',
    );
  });

  test('replaces nothing: a second run asks for another name', async () => {
    for (const more of [[], ['--zip']]) {
      await place.run(['bundle', 'spring-1', ...more]);
      const before = await here();
      const { err, code } = await place.run(['bundle', 'spring-1', ...more]);
      expect(err).toMatch(/^Cannot write spring-1-bundle(\.zip)?: (it|the file) exists; choose another name/m);
      expect([code, await here()]).toEqual([2, before]);
    }
  });

  test('replaces an older bundle where that is asked for, and nothing that is not of one', async () => {
    await place.run(['bundle', 'spring-1']);
    await films.deliver('spring-1', 'loop');
    await writeArchive();
    const before = await here();
    expect(await place.run(['bundle', 'spring-1', '--replace'])).toMatchObject({
      ...{ code: 0, out: expect.stringContaining('2 films of spring-1') },
    });
    expect(await here()).toEqual(before);
    expect(await place.run(['verify', 'spring-1-bundle'])).toMatchObject({
      ...{ code: 0, out: 'spring-1-bundle  checksums verified: 9\n' },
    });
    await writeFile(join(place.folder, 'spring-1-bundle/films/notes.txt'), 'of the team');
    const refused = await place.run(['bundle', 'spring-1', '--replace']);
    expect([refused.code, refused.err]).toEqual([
      2,
      expect.stringContaining('films/notes.txt in it is not of the bundle'),
    ]);
    expect((await place.run(['bundle', 'spring-1', '--replace', '--out', 'out'])).err).toContain('it is not a bundle');
    await place.run(['bundle', 'spring-1', '--zip']);
    expect((await place.run(['bundle', 'spring-1', '--zip', '--replace'])).code).toBe(0);
  });

  test('is checked by verify wherever it is: a film that is gone or changed is named', async () => {
    await place.run(['bundle', 'spring-1', '--out', 'sent']);
    await rename(join(place.folder, 'sent'), join(place.folder, 'received'));
    await writeFile(join(place.folder, 'received/gallery.html'), 'changed');
    await rm(join(place.folder, 'received/films/1-hero.mp4'));
    const { out, code } = await place.run(['verify', 'received']);
    expect(code).toBe(1);
    expect(out).toContain('films/1-hero.mp4  is missing');
    expect(out).toMatch(/gallery\.html {2}is \w{12}, was \w{12}/);
  });

  test('leaves nothing where a file of the archive is missing or was changed, and names it', async () => {
    const before = await here();
    await writeFile(join(place.folder, 'out/spring-1/hero/final.mp4'), 'FILM of spring-1 hero');
    for (const more of [[], ['--zip']]) {
      const { err, code } = await place.run(['bundle', 'spring-1', ...more]);
      expect(err).toContain('Cannot bundle films/1-hero.mp4: the archive has other bytes than were delivered');
      expect([code, await here()]).toEqual([1, before]);
    }
    await rm(join(place.folder, 'out/spring-1/hero/final.mp4'));
    const { err, code } = await place.run(['bundle', 'spring-1']);
    expect(err).toContain('spring-1/hero/final.mp4 is missing');
    expect([code, await here()]).toEqual([1, before]);
  });

  test('leaves nothing after Ctrl-C', async () => {
    const before = await here();
    for (const more of [[], ['--zip']]) {
      const terminal = place.context({});
      const onInterrupt: CliContext['onInterrupt'] = (callback) => {
        queueMicrotask(() => callback('SIGINT', 1));
        return () => undefined;
      };
      await runProgram(['bundle', 'spring-1', ...more], { ...terminal, onInterrupt }, '0.0.0');
      expect(terminal.stderr.text).toContain('Stopping: the bundle is not finished, nothing of it is left');
      expect([terminal.code(), await here()]).toEqual([130, before]);
    }
  });

  test('leaves nothing on a full disk, and says so', async ({ skip }) => {
    const disk = await smallDisk(join(place.folder, 'small'), 64 * 1024);
    if (disk === null) return skip('mounting a small disk is not allowed here');
    try {
      await films.deliver('spring-1', 'loop', { content: 'x'.repeat(1_000_000) });
      await writeArchive();
      for (const more of [
        ['--out', 'small/b'],
        ['--zip', '--out', 'small/b.zip'],
      ]) {
        const { err, code } = await place.run(['bundle', 'spring-1', ...more]);
        expect(err).toContain('the disk is full');
        expect([code, await readdir(join(place.folder, 'small'))]).toEqual([4, []]);
      }
    } finally {
      await disk.unmount();
    }
  });
});
