import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { briefs, check, makeFolder } from '../manifest-files.js';
import { tinyPng } from './pictures.js';

const onDisk = ['logo.png', 'my logo.png', 'Logo2.PNG', 'A&B #1 100%.png', 'schöne Straße é.png'.normalize('NFD')];

async function sheetOf(paths: readonly string[]): Promise<string> {
  const folder = await makeFolder();
  await mkdir(join(folder, 'refs'));
  for (const name of onDisk) await writeFile(join(folder, 'refs', name), tinyPng);
  const rows = paths.map((path, index) => `r${index},A runner crosses the bridge ${index},"${path}",product`);
  await writeFile(join(folder, 'x.csv'), ['id,prompt,reference_1,reference_1_role', ...rows].join('\n'));
  return join(folder, 'x.csv');
}

const messageOf = async (path: string) => (await check(await sheetOf([path]))).findings[0]?.message;

describe('a name that is almost that of a file', () => {
  test.each([
    'refs/schöne Straße é.png'.normalize('NFC'),
    'refs/schöne Straße é.png'.normalize('NFD'),
    'refs\\logo.png',
    './refs/logo.png',
    'refs/A&B #1 100%.png',
    'refs/logo.png ',
  ])('%j is found', async (path) => {
    const [row] = await briefs(await sheetOf([path]));
    expect(row?.brief.references[0]?.source.kind).toBe('file');
  });

  test.each([
    ['refs/my%20logo.png', 'my logo.png'],
    ['refs/Logo2.png', 'Logo2.PNG'],
    ['Refs/logo.png', 'logo.png'],
    ['refs/logo', 'logo.png'],
    ['refs/logo.jpg', 'logo.png'],
    ['refs/lgoo.png', 'logo.png'],
    ['refs/my_logo.png', 'my logo.png'],
    ['refs/A&amp;B #1 100%.png', 'A&B #1 100%.png'],
    ['refs/A&#38;B #1 100%.png', 'A&B #1 100%.png'],
  ])('%j is not taken, and the file is named', async (path, name) => {
    expect(await messageOf(path)).toBe(`there is no file "${path}" next to the manifest; there is "refs/${name}"`);
  });

  test.each([
    ['refs/other.png', 'there is no file "refs/other.png" next to the manifest'],
    ['www.example.com/logo.png', 'an address begins with https://'],
    ['file:refs/logo.png', 'e.g. refs/logo.png'],
    ['file:///home/me/logo.png', 'e.g. home/me/logo.png'],
    ['data:image/png;base64,iVBORw0KGgo=', 'save it as a file'],
    ['s3://bucket/logo.png', 's3:// is not fetched'],
  ])('%j is told for what it is', async (path, message) => {
    expect(await messageOf(path)).toContain(message);
  });
});
