import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fileSource } from '../../manifests/read-manifest.js';
import { checkText, makeFolder } from './manifest-files.js';
import { zipOf } from './workbook.js';

const zip = (...names: readonly string[]) => zipOf(names.map((name) => ({ name, content: '<a/>' })));
const page = '<!DOCTYPE html><html><body><table><tr><td>id</td></tr></table></body></html>';

describe('what is no manifest is told for what it is, and how to get one', () => {
  test.each([
    ['sheet.numbers', zip('Index/Document.iwa', 'Metadata/Properties.plist'), 'in Numbers: File > Export To'],
    ['old.numbers', zip('Index.zip', 'preview.jpg'), 'in Numbers: File > Export To'],
    ['sheet.xlsb', zip('[Content_Types].xml', 'xl/workbook.bin'), 'a binary workbook (.xlsb); save it as .xlsx'],
    ['brief.docx', zip('[Content_Types].xml', 'word/document.xml'), 'a Word document'],
    ['deck.pptx', zip('[Content_Types].xml', 'ppt/presentation.xml'), 'a presentation'],
    ['all.zip', zip('spring/sheet.csv', 'spring/logo.png'), 'an archive with files in it; unpack it'],
    ['export.xls', page, 'a web page called .xls'],
    ['export.csv', `\ufeff\n<html xmlns="x"><head></head>`, 'a web page called .csv'],
    ['sheet.xlsx', '<html><title>Sign in - Google Accounts</title></html>', 'a sign-in page'],
    ['sheet.xls', '<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook/>', 'Excel 2003'],
    ['sheet.fods', '<?xml version="1.0"?><office:document xmlns:office="x"/>', 'a flat OpenDocument sheet'],
    ['sheet.gsheet', '{"url": "https://docs.google.com/open?id=1"}', 'in Google Sheets: File > Download'],
    ['sheet.url', '[InternetShortcut]\nURL=https://docs.google.com/spreadsheets/d/1/edit', 'in Google Sheets: File'],
    ['sheet.webloc', '<?xml version="1.0"?><plist><dict/></plist>', ''],
  ])('%s', async (name, content, message) => {
    await expect(checkText(name, content)).rejects.toMatchObject({
      findings: [{ code: 'not_a_manifest', message: expect.stringContaining(message) }],
    });
  });

  test.each([
    ['https://docs.google.com/spreadsheets/d/1abc/edit#gid=0', 'in Google Sheets: File > Download'],
    ['https://example.com/sheet.csv', 'download the sheet as .xlsx or CSV'],
  ])('the address %s', async (address, message) => {
    await expect(fileSource(address)).rejects.toThrow(message);
  });

  test('a Numbers document that is a folder', async () => {
    const folder = join(await makeFolder(), 'sheet.numbers');
    await mkdir(folder);
    await expect(fileSource(folder)).rejects.toThrow('in Numbers: File > Export To');
  });
});
