import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { check, lines, makeFolder } from '../manifest-files.js';
import { picture, pngOf } from './pictures.js';

/** What is found about a row whose reference is a file of these bytes. */
async function found(bytes: Buffer) {
  const folder = await makeFolder();
  await writeFile(join(folder, 'brand'), bytes);
  const row = 'a,A red shoe turns slowly,brand,product';
  await writeFile(join(folder, 'x.csv'), `id,prompt,reference_1,reference_1_role\n${row}\n`);
  return check(join(folder, 'x.csv'));
}

const formats = {
  JPEG: () => picture().jpeg({ quality: 85 }).toBuffer(),
  'progressive JPEG': () => picture().jpeg({ quality: 85, progressive: true }).toBuffer(),
  PNG: () => picture().png().toBuffer(),
  WebP: () => picture().webp({ quality: 80 }).toBuffer(),
  'lossless WebP': () => picture().webp({ lossless: true }).toBuffer(),
  GIF: () => picture().gif().toBuffer(),
} as const;
type Format = keyof typeof formats;

describe('a picture', () => {
  test.each(Object.keys(formats) as Format[])('that is whole has no finding: %s', async (format) => {
    expect(lines(await found(await formats[format]()))).toEqual([]);
  });

  test.each(Object.keys(formats) as Format[])('that ends in the middle is damaged: %s', async (format) => {
    const bytes = await formats[format]();
    const { findings } = await found(bytes.subarray(0, bytes.length / 2));
    expect(findings).toMatchObject([
      {
        ...{ code: 'reference_damaged', severity: 'error', row: 2, column: 'C', field: 'reference_1' },
        message: expect.stringContaining('"brand" cannot be used: the picture is damaged: '),
      },
    ]);
  });

  test.each(['progressive JPEG', 'PNG', 'WebP', 'lossless WebP', 'GIF'] as const)(
    'of which a part in the middle is missing is seen: %s',
    async (format) => {
      const bytes = await formats[format]();
      const middle = Math.floor(bytes.length / 2);
      const { findings } = await found(Buffer.concat([bytes.subarray(0, middle), bytes.subarray(middle + 200)]));
      expect(findings).toMatchObject([{ code: expect.stringMatching(/^reference_(damaged|doubtful)$/), row: 2 }]);
    },
  );

  test('in which a marker stands where none may be is seen: JPEG', async () => {
    const bytes = await formats.JPEG();
    bytes.write('\xff\xc4\0\x02\xff\xda', Math.floor(bytes.length / 2), 'latin1');
    const { findings } = await found(bytes);
    expect(findings).toMatchObject([{ code: expect.stringMatching(/^reference_(damaged|doubtful)$/), row: 2 }]);
  });

  test('whose file has bytes that no viewer minds is a warning: JPEG of a camera', async () => {
    const bytes = await formats.JPEG();
    const end = bytes.length - 2;
    const odd = Buffer.concat([bytes.subarray(0, end), Buffer.alloc(40, 0x20), bytes.subarray(end)]);
    expect(lines(await found(odd)).filter((line) => !line.startsWith('warning reference_doubtful'))).toEqual([]);
  });

  test('of a head alone cannot be read', async () => {
    const { findings } = await found(Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
    expect(findings[0]).toMatchObject({
      message: expect.stringContaining('the picture is damaged: it cannot be read'),
    });
  });

  test('that unpacks to more than any is not unpacked, whatever its size on the disk', async () => {
    const bomb = pngOf(50_000, 50_000, Buffer.alloc(1_000));
    expect(bomb.length).toBeLessThan(1_000);
    expect((await found(bomb)).findings).toMatchObject([
      {
        ...{ code: 'reference_pixels', severity: 'error', row: 2, column: 'C' },
        message: '"brand" cannot be used: the picture has 50000 x 50000 pixels; at most 100 megapixels',
      },
    ]);
  });

  test('just below that limit is looked at to its end', async () => {
    const rows = Buffer.alloc(9_999 * (1 + 10_000 / 8));
    expect(lines(await found(pngOf(10_000, 9_999, rows)))).toEqual([]);
    expect(lines(await found(pngOf(10_000, 9_999, rows.subarray(0, rows.length / 2))))).toEqual([
      expect.stringMatching(/reference_(damaged|doubtful) 2/),
    ]);
  });
});
