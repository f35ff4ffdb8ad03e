import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { checkManifest, fileSource } from '../../manifests/read-manifest.js';
import { repairedWorkbook } from '../../manifests/repair-workbook.js';
import { openPackage } from '../../sheets/xlsx/workbook-package.js';
import { briefsOf, fixtures, lines, writeManifest } from './manifest-files.js';
import { rowXml, workbookParts, zipOf } from './workbook.js';

const prompt = 'A red shoe turns slowly';

async function repaired(path: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of repairedWorkbook(await fileSource(path), {})) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function partsOf(bytes: Buffer): Promise<ReadonlyMap<string, string>> {
  const parts = await openPackage(bytes);
  const texts = new Map<string, string>();
  for (const name of parts.names()) {
    const pieces: Buffer[] = [];
    for await (const piece of parts.read(name)) pieces.push(piece);
    texts.set(name, Buffer.concat(pieces).toString());
  }
  return texts;
}

describe('a repaired workbook', () => {
  test('has its ratios as text, and everything else as it was', async () => {
    const path = `${fixtures}lo_saved_en-US.xlsx`;
    const before = await partsOf(await readFile(path));
    const bytes = await repaired(path);
    const after = await partsOf(bytes);
    const sheet = 'xl/worksheets/sheet1.xml';
    expect([...after.keys()]).toEqual([...before.keys()]);
    for (const [name, text] of before) if (name !== sheet) expect(after.get(name), name).toBe(text);
    const changed = /<c r="D([2-5])"[^>]*>.*?<\/c>/g;
    expect(after.get(sheet)?.replace(changed, '')).toBe(before.get(sheet)?.replace(changed, ''));
    const styleOf = (text: string | undefined) => /<c r="D2"[^>]* s="(\d+)"/.exec(text ?? '')?.[1];
    expect(styleOf(after.get(sheet))).toBe(styleOf(before.get(sheet)));
    const found = await checkManifest(await fileSource(await writeManifest('x.xlsx', bytes)), {});
    expect(found).toMatchObject({ repairs: 0, errors: 3, rows: 5 });
  });

  test('whatever the prefixes, line ends and signs of its XML, and of cells without an address', async () => {
    const time = '<x:c s="1"><x:v>0.672916666666667</x:v></x:c>';
    const text = (value: string) => `<x:c t="inlineStr"><x:is><x:t>${value}</x:t></x:is></x:c>`;
    const row = (...cells: string[]) => `<x:row>\r\n${cells.join('\r\n')}</x:row>`;
    const rows =
      row(text('id'), text('prompt'), text('ratio')) +
      row(text('a'), text(`${prompt} 🎬 é &amp; more`), time) +
      row(text('b'), text(`${prompt} b`), '<x:c s="1"/>');
    const bytes = await repaired(await writeManifest('x.xlsx', zipOf(workbookParts([{ name: 'M', rows }], ['h:mm']))));
    const found = await briefsOf('x.xlsx', bytes);
    expect(found.map(({ brief }) => [brief.rowKey, brief.prompt, brief.aspectRatio])).toEqual([
      ['a', `${prompt} 🎬 é & more`, '16:9'],
      ['b', `${prompt} b`, null],
    ]);
    expect((await partsOf(bytes)).get('xl/worksheets/sheet1.xml')).toContain(
      '<x:c s="1" t="inlineStr"><x:is><x:t xml:space="preserve">16:9</x:t></x:is></x:c>',
    );
  });

  test('a formula is never written over', async () => {
    const cells = ['a', prompt, '<c s="1"><f>TIME(16,9,0)</f><v>0.672916666666667</v></c>'];
    const rows = rowXml(1, ['id', 'prompt', 'ratio']) + rowXml(2, cells);
    const path = await writeManifest('x.xlsx', zipOf(workbookParts([{ name: 'M', rows }], ['h:mm'])));
    const found = await checkManifest(await fileSource(path), {});
    expect(lines(found)).toEqual(['warning formula 2 - C aspect_ratio', 'repair ratio_repaired 2 - C aspect_ratio']);
    await expect(repaired(path)).rejects.toMatchObject({
      findings: [{ code: 'formula_repair', message: expect.stringContaining('C2 is a formula') }],
    });
  });
});
