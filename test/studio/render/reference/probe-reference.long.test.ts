import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { probeReference, renderFilm, UnsupportedReferenceError } from '../../../../studio/render/render.js';
import { picture } from '../../../manifests/references/pictures.js';
import { sampleDocx, samplePdf, samplePicture, sampleSound } from './sample-files.js';

describe('probeReference', () => {
  let folder: string;
  let film: Buffer;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'references-'));
    const [video] = await renderFilm({
      prompt: 'A film that serves as a reference.',
      durationSeconds: 5,
      aspectRatio: '9:16',
      style: null,
      references: [],
      preset: 'draft',
      outFolder: folder,
    });
    film = await readFile(video?.path ?? '');
  }, 60_000);
  afterAll(() => rm(folder, { recursive: true }));

  async function probe(content: Buffer | string, name = 'upload.bin') {
    const path = join(folder, name);
    await writeFile(path, content);
    return probeReference(path);
  }

  test.each(['png', 'jpeg', 'webp', 'avif'] as const)('finds a %s picture and its size', async (type) => {
    const found = await probe(samplePicture(64, 40, type));
    expect(found).toEqual({ mimeType: `image/${type}`, kind: 'image', width: 64, height: 40, durationSeconds: null });
  });

  test.each(['png', 'jpeg', 'webp', 'avif'] as const)('a %s whose end is missing is refused', async (type) => {
    const whole = samplePicture(600, 400, type);
    await expect(probe(whole.subarray(0, whole.length >> 1))).rejects.toThrow(UnsupportedReferenceError);
    await expect(probe(whole.subarray(0, whole.length - 5))).rejects.toThrow(UnsupportedReferenceError);
  });

  test('a PNG with one changed byte is refused', async () => {
    const changed = Buffer.from(samplePicture(600, 400));
    changed[changed.length >> 1] = (changed[changed.length >> 1] ?? 0) ^ 1;
    await expect(probe(changed)).rejects.toThrow('the image is damaged');
  });

  test.each([
    ['JPEG', () => picture(400).jpeg({ quality: 90, progressive: true }).toBuffer()],
    ['WebP', () => picture(400).webp({ lossless: true }).toBuffer()],
  ])('a %s that was changed in the middle is refused', async (_, make) => {
    const whole = await make();
    expect(await probe(whole)).toMatchObject({ width: 400, height: 400 });
    const middle = whole.length >> 1;
    // Its container says that it is whole.
    const cut = Buffer.concat([whole.subarray(0, middle), Buffer.alloc(2_000, 0xa5), whole.subarray(middle + 2_000)]);
    await expect(probe(cut)).rejects.toThrow('the image is damaged');
  });

  test.each([
    // One pixel, then the trailer; the second goes on after its last block.
    ['47494638396101000100800000000000ffffff2c000000000100010000020244010 03b', true],
    ['47494638396101000100800000000000ffffff2c00000000010001000002024401', false],
    ['47494638396101000100800000000000ffffff2c00000000010001000002', false],
  ])('a GIF is followed to its trailer: %s', async (hex, whole) => {
    const found = probe(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
    if (whole) expect(await found).toMatchObject({ mimeType: 'image/gif', width: 1, height: 1 });
    else await expect(found).rejects.toThrow('the image is damaged');
  });

  test.each(['word/vbaProject.bin', 'word/embeddings/oleObject1.bin', 'word/activeX/activeX1.bin'])(
    'a DOCX with %s is refused',
    async (part) => {
      await expect(probe(sampleDocx(['A brief'], { [part]: 'x' }))).rejects.toThrow('carries macros or other files');
    },
  );

  test('goes by the content and not by the name', async () => {
    expect(await probe(samplePicture(8, 8), 'notes.txt')).toMatchObject({ mimeType: 'image/png' });
    await expect(probe('<html><body>hello</body></html>', 'picture.png')).rejects.toThrow(UnsupportedReferenceError);
  });

  test('finds size and length of a film', async () => {
    expect(await probe(film)).toEqual({
      mimeType: 'video/mp4',
      kind: 'video',
      width: 180,
      height: 320,
      durationSeconds: 5,
    });
  });

  test('finds the length of a sound', async () => {
    expect(await probe(sampleSound(2.5))).toMatchObject({ mimeType: 'audio/wav', kind: 'audio', durationSeconds: 2.5 });
  });

  test('takes PDF, DOCX and plain text in any script as documents', async () => {
    const document = { kind: 'document', width: null, height: null, durationSeconds: null };
    expect(await probe(samplePdf('A brief'))).toEqual({ mimeType: 'application/pdf', ...document });
    expect(await probe(sampleDocx(['A brief']))).toMatchObject(document);
    expect(await probe('Ein Entwurf — 企画書\n')).toEqual({ mimeType: 'text/plain', ...document });
  });

  test.each([
    ['an empty file', ''],
    ['blank text', ' \n\t\n'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'],
    ['SVG with a declaration', '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['HTML', '\n  <!DOCTYPE html><p>text</p>'],
    ['HTML after text', 'hello <script>alert(1)</script>'],
    ['a script', '#!/bin/sh\nrm -r /\n'],
    ['a playlist', '#EXTM3U\n#EXT-X-VERSION:3\nfile:///etc/passwd\n\x01'],
    ['Latin-1 text', Buffer.from('Entw\xfcrfe', 'latin1')],
    ['random bytes', Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 7919) % 251))],
    ['a program', Buffer.from('\x7fELF\x02\x01\x01'.padEnd(4096, '\0'), 'latin1')],
    ['a PDF with a script', samplePdf('A', '/OpenAction << /Type /Action /S /JavaScript /JS (app.alert\\(1\\)) >>')],
    ['half a PDF', samplePdf('A').subarray(0, 60)],
    ['half a DOCX', sampleDocx(['A']).subarray(0, 900)],
    ['a picture without a header', samplePicture(8, 8).subarray(0, 12)],
  ])('refuses %s', async (_, content) => {
    await expect(probe(content)).rejects.toThrow(UnsupportedReferenceError);
  });

  test('refuses half a film', async () => {
    await expect(probe(film.subarray(0, 600))).rejects.toThrow(UnsupportedReferenceError);
  });

  test('refuses a picture that would fill the memory', async () => {
    const header = samplePicture(8, 8);
    header.writeUInt32BE(60_000, 16);
    header.writeUInt32BE(60_000, 20);
    await expect(probe(header)).rejects.toThrow(/at most 64 megapixels/);
  });

  test('counts a turned photograph as it is looked at', async () => {
    const exif = Buffer.from('ffe1002245786966000049492a0008000000010012010300010000000600000000000000', 'hex');
    const plain = samplePicture(64, 40, 'jpeg');
    const turned = Buffer.concat([plain.subarray(0, 2), exif, plain.subarray(2)]);
    expect(await probe(turned)).toMatchObject({ width: 40, height: 64 });
  });
});
