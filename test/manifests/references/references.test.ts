import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, copyFile, mkdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readReferenceText } from '../../../manifests/references/reference-text.js';
import { sharePageFix } from '../../../manifests/references/share-page.js';
import { briefs, check, lines, makeFolder } from '../manifest-files.js';
import { zipOf } from '../workbook.js';
import { picture } from './pictures.js';

const prompt = 'A red shoe turns slowly';
const shoe = new URL('../../../manifests/examples/refs/trail-shoe.png', import.meta.url).pathname;

/** A folder with a manifest of one row for each reference. */
async function manifestOf(references: readonly string[], role = 'other'): Promise<{ folder: string; path: string }> {
  const folder = await makeFolder();
  const path = join(folder, 'sheet.csv');
  const rows = references.map((reference, index) => `a${index},${prompt} ${index},"${reference}",${role}`);
  await writeFile(path, ['id,prompt,reference_1,reference_1_role', ...rows].join('\n'));
  return { folder, path };
}

describe('references to files', () => {
  test('are hashed, whatever the spelling of their path', async () => {
    const { folder, path } = await manifestOf(
      ['refs/shoe.png', './refs/../refs/shoe.png', 'refs\\shoe.png'],
      'product',
    );
    await mkdir(join(folder, 'refs'));
    await copyFile(shoe, join(folder, 'refs', 'shoe.png'));
    const bytes = await readFile(shoe);
    const rows = await briefs(path);
    const file = {
      kind: 'file',
      sha256: createHash('sha256').update(bytes).digest('hex'),
      sizeBytes: bytes.length,
      path: expect.stringMatching(/\/refs\/shoe\.png$/),
    };
    for (const { brief, digest } of rows) {
      expect(brief.references).toEqual([{ source: file, role: 'product', description: null }]);
      expect(digest).toMatch(/^[0-9a-f]{64}$/);
    }
  });

  test('a change of the file changes the digest, its name does not', async () => {
    const one = await manifestOf(['a.txt']);
    await writeFile(join(one.folder, 'a.txt'), 'Our voice is calm');
    const same = await manifestOf(['b.txt']);
    await writeFile(join(same.folder, 'b.txt'), 'Our voice is calm');
    const other = await manifestOf(['a.txt']);
    await writeFile(join(other.folder, 'a.txt'), 'Our voice is loud');
    const digests = await Promise.all([one, same, other].map(async ({ path }) => (await briefs(path))[0]?.digest));
    expect(digests[1]).toBe(digests[0]);
    expect(digests[2]).not.toBe(digests[0]);
  });

  test('that cannot be used are errors at check time', async () => {
    const names = [
      'none.png',
      'folder',
      'empty.png',
      'art.svg',
      'page.html',
      'run.sh',
      'data.zip',
      'tool.bin',
      'huge.mp4',
      'pipe',
    ];
    const { folder, path } = await manifestOf([...names, 'a/b/../../none2.png', `${'x'.repeat(300)}.png`]);
    await mkdir(join(folder, 'folder'));
    await writeFile(join(folder, 'empty.png'), '');
    await writeFile(join(folder, 'art.svg'), '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>');
    await writeFile(join(folder, 'page.html'), '<!doctype html><p>hello');
    await writeFile(join(folder, 'run.sh'), '#!/bin/sh\nrm -rf /\n');
    await writeFile(join(folder, 'data.zip'), zipOf([{ name: 'a.txt', content: 'a' }]));
    await writeFile(join(folder, 'tool.bin'), Buffer.from([1, 2, 3, 4, 0, 255, 254]));
    await writeFile(join(folder, 'huge.mp4'), '');
    await truncate(join(folder, 'huge.mp4'), 513 * 1024 * 1024);
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const found = await check(path);
    expect(found.findings.map(({ code }) => code)).toEqual([
      'reference_missing',
      'reference_folder',
      'reference_empty',
      'reference_type',
      'reference_type',
      'reference_type',
      'reference_type',
      'reference_type',
      'reference_size',
      'reference_type',
      'reference_missing',
      'reference_missing',
    ]);
    expect(new Set(found.findings.map(({ column }) => column))).toEqual(new Set(['C']));
  });

  test.skipIf(process.getuid?.() === 0)('that may not be read are errors', async () => {
    const { folder, path } = await manifestOf(['secret.txt']);
    await writeFile(join(folder, 'secret.txt'), 'hidden');
    await chmod(join(folder, 'secret.txt'), 0);
    expect((await check(path)).findings.map(({ code }) => code)).toEqual(['reference_unreadable']);
  });

  test('outside of the manifest’s folder are refused, wherever dots or links lead', async () => {
    const outside = join(await makeFolder(), 'secret.txt');
    await writeFile(outside, 'hidden');
    const { folder, path } = await manifestOf([
      '../../etc/passwd',
      '/etc/passwd',
      'C:\\\\secret.txt',
      '..\\..\\secret.txt',
      outside,
      'link.txt',
      'linked/secret.txt',
      'inside.txt',
      'loop.txt',
    ]);
    await symlink(outside, join(folder, 'link.txt'));
    await symlink(join(outside, '..'), join(folder, 'linked'));
    await writeFile(join(folder, 'real.txt'), 'shown');
    await symlink('real.txt', join(folder, 'inside.txt'));
    await symlink('loop.txt', join(folder, 'loop.txt'));
    const found = await check(path);
    expect(found.findings.map(({ row, code }) => [row, code])).toEqual([
      ...[2, 3, 4, 5, 6, 7, 8].map((row) => [row, 'reference_outside']),
      [10, 'reference_unreadable'],
    ]);
  });

  test.each([
    ['PNG', () => picture(8).png().toBuffer(), 'an image'],
    ['JPEG', () => picture(8).jpeg().toBuffer(), 'an image'],
    ['GIF', () => picture(8).gif().toBuffer(), 'an image'],
    ['WebP', () => picture(8).webp().toBuffer(), 'an image'],
    [
      'MP4',
      () => Buffer.from([0, 0, 0, 0x18, ...Buffer.from('ftypmp42'), 0, 0, 0, 0, ...Buffer.from('mp42isom')]),
      'a video',
    ],
    ['PDF', () => Buffer.from('%PDF-1.7'), 'a document'],
  ])('are known by how they begin, whatever they are called: %s', async (_what, bytesOf, kind) => {
    const { folder, path } = await manifestOf(['brand.old'], 'audio');
    await writeFile(join(folder, 'brand.old'), await bytesOf());
    expect((await check(path)).findings.map(({ message }) => message)).toEqual([
      `its role is audio and the file is ${kind}`,
    ]);
  });

  test('are looked at, also where their role is none', async () => {
    const { path } = await manifestOf(['none.png'], 'hero');
    expect(lines(await check(path))).toEqual([
      'error reference_missing 2 2 C reference_1',
      'error reference_role 2 2 D reference_1_role',
    ]);
  });

  test('of the wrong kind for their role are said', async () => {
    const { folder, path } = await manifestOf(['shoe.png'], 'audio');
    await copyFile(shoe, join(folder, 'shoe.png'));
    expect(lines(await check(path))).toEqual(['warning reference_role_kind 2 2 C reference_1']);
  });
});

describe('references by address or id', () => {
  test('an id is taken as it is, an address is fetched later', async () => {
    const { path } = await manifestOf(['ref_Ab12', 'https://cdn.example.com/a/shoe.png?v=2']);
    const rows = await briefs(path);
    expect(rows.map(({ brief }) => brief.references[0]?.source)).toEqual([
      { kind: 'id', referenceId: 'ref_Ab12' },
      { kind: 'url', url: 'https://cdn.example.com/a/shoe.png?v=2', sha256: null },
    ]);
    expect(rows.map(({ digest }) => digest === null)).toEqual([false, true]);
  });

  test.each([
    ['http://example.com/a.png', 'reference_url'],
    ['ftp://example.com/a.png', 'reference_url'],
    ['file:///etc/passwd', 'reference_url'],
    ['https://', 'reference_url'],
    ['https://user:pass@example.com/a.png', 'reference_credentials'],
    ['https://127.0.0.1/a.png', 'reference_private'],
    ['https://2130706433/a.png', 'reference_private'],
    ['https://0x7f.1/a.png', 'reference_private'],
    ['https://[::1]/a.png', 'reference_private'],
    ['https://[::ffff:10.0.0.1]/a.png', 'reference_private'],
    ['https://169.254.169.254/latest/meta-data', 'reference_private'],
    ['https://10.1.2.3/a.png', 'reference_private'],
    ['https://192.168.0.1/a.png', 'reference_private'],
    ['https://localhost/a.png', 'reference_private'],
    ['https://localhost./a.png', 'reference_private'],
    ['https://nas/a.png', 'reference_private'],
    ['https://printer.local/a.png', 'reference_private'],
    ['https://db.internal/a.png', 'reference_private'],
  ])('%s is refused', (text, code) => {
    const { source, troubles } = readReferenceText(text, { allowPrivateAddresses: false });
    expect(source).toBeNull();
    expect(troubles).toMatchObject([{ severity: 'error', code }]);
  });

  test('private addresses and plain http are taken where the configuration allows them', () => {
    const options = { allowPrivateAddresses: true };
    for (const url of ['http://127.0.0.1:8080/a.png', 'https://nas/a.png']) {
      expect(readReferenceText(url, options)).toEqual({ source: { kind: 'url', url, sha256: null }, troubles: [] });
    }
  });

  test.each([
    ['https://drive.google.com/file/d/1AbC/view?usp=sharing', 'https://drive.google.com/uc?export=download&id=1AbC'],
    ['https://drive.google.com/open?id=1AbC', 'https://drive.google.com/uc?export=download&id=1AbC'],
    ['https://www.dropbox.com/s/abc/shoe.png?dl=0', 'dl=1'],
    ['https://www.dropbox.com/scl/fi/abc/shoe.png?rlkey=x', 'dl=1'],
    ['https://1drv.ms/i/s!abc', 'download=1'],
    ['https://acme.sharepoint.com/:i:/s/x/abc', 'download=1'],
    ['https://we.tl/t-abc', 'next to the manifest'],
    ['https://github.com/a/b/blob/main/shoe.png', '/raw/'],
    ['https://docs.google.com/document/d/1/edit', 'export'],
    ['https://www.youtube.com/watch?v=abc', 'the file itself'],
  ])('a page that shows a file is said, with the fix: %s', (url, fix) => {
    expect(sharePageFix(new URL(url))).toContain(fix);
    const { source, troubles } = readReferenceText(url, { allowPrivateAddresses: false });
    expect(source).toMatchObject({ kind: 'url', url });
    expect(troubles).toMatchObject([{ severity: 'warning', code: 'share_page' }]);
  });

  test.each([
    'https://drive.google.com/uc?export=download&id=1AbC',
    'https://www.dropbox.com/s/abc/shoe.png?dl=1',
    'https://cdn.example.com/shoe.png',
    'https://notdropbox.com/shoe.png',
    'https://raw.githubusercontent.com/a/b/main/shoe.png',
  ])('a file is no page: %s', (url) => {
    expect(sharePageFix(new URL(url))).toBeNull();
  });

  test('a role that is none is an error, none at all is said', async () => {
    const wrong = await manifestOf(['ref_1'], 'hero');
    expect(lines(await check(wrong.path))).toEqual(['error reference_role 2 2 D reference_1_role']);
    const lacking = await manifestOf(['ref_1'], '');
    expect(lines(await check(lacking.path))).toEqual(['warning reference_role_default 2 2 C reference_1']);
    const shouted = await manifestOf(['ref_1'], 'PRODUCT');
    expect((await briefs(shouted.path))[0]?.brief.references[0]?.role).toBe('product');
  });

  test('a role without a reference is said, and nothing is sent for it', async () => {
    const { path } = await manifestOf([''], 'product');
    expect(lines(await check(path))).toEqual(['warning reference_empty 2 2 D reference_1_role']);
    expect((await briefs(path))[0]?.brief.references).toEqual([]);
  });

  test('references stand in the order of their numbers, not of their columns', async () => {
    const folder = await makeFolder();
    const path = join(folder, 'sheet.csv');
    await writeFile(path, `id,prompt,ref 10,image_2,reference_1_url\na1,${prompt},ref_c,ref_b,ref_a\n`);
    expect((await briefs(path))[0]?.brief.references.map(({ source }) => source)).toEqual([
      { kind: 'id', referenceId: 'ref_a' },
      { kind: 'id', referenceId: 'ref_b' },
      { kind: 'id', referenceId: 'ref_c' },
    ]);
  });
});
