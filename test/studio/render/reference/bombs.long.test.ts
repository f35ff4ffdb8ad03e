import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createDeflate, type createDeflateRaw } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { probeReference, UnsupportedReferenceError } from '../../../../studio/render/render.js';
import { zipOf } from '../../../manifests/workbook.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenlight-bombs-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const megabyte = 1024 * 1024;

/** So many megabytes of one text, packed as they come. */
async function packed(text: string, megabytes: number, pack: typeof createDeflate | typeof createDeflateRaw) {
  const piece = Buffer.from(text.repeat(Math.ceil(megabyte / text.length)));
  return buffer(Readable.from(Array.from({ length: megabytes }, () => piece)).pipe(pack({ level: 9 })));
}

async function pdfBomb(megabytes: number): Promise<Buffer> {
  const content = await packed('BT /F1 24 Tf (x) Tj ET\n', megabytes, createDeflate);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << >> >>',
    `<< /Length ${content.length} /Filter /FlateDecode >>\nstream\n${content.toString('latin1')}\nendstream`,
  ];
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('');
  return Buffer.from(`%PDF-1.4\n${body}trailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n0\n%%EOF\n`, 'latin1');
}

describe('a document that unpacks to more than the memory', () => {
  test('DOCX: is refused, and the service has none of it in its own memory', async () => {
    const words = '<w:p><w:r><w:t>A runner at dawn</w:t></w:r></w:p>';
    const text = Buffer.concat([
      Buffer.from('<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'),
      Buffer.from(words.repeat(Math.ceil((200 * megabyte) / words.length))),
      Buffer.from('</w:body></w:document>'),
    ]);
    const bomb = zipOf([
      {
        name: '[Content_Types].xml',
        content:
          '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
      },
      {
        name: '_rels/.rels',
        content:
          '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
      },
      { name: 'word/document.xml', content: text },
    ]);
    expect(bomb.length).toBeLessThan(2 * megabyte);
    await expectRefused('bomb.docx', bomb);
  }, 120_000);

  test('PDF: the same', async () => {
    const bomb = await pdfBomb(600);
    expect(bomb.length).toBeLessThan(4 * megabyte);
    await expectRefused('bomb.pdf', bomb);
  }, 120_000);
});

async function expectRefused(name: string, bytes: Buffer): Promise<void> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  const before = process.memoryUsage().rss;
  await expect(probeReference(path)).rejects.toThrow(UnsupportedReferenceError);
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * megabyte);
}
