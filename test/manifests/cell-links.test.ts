import { expect, test } from 'vitest';
import { briefsOf, checkText, lines } from './manifest-files.js';
import { rowXml, workbookParts, zipOf } from './workbook.js';

const prompt = 'A runner crosses the bridge at dawn';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A sheet whose references are shown as these, with these links on ranges of its cells. */
function linked(shown: readonly string[], links: readonly (readonly [range: string, target: string])[]): Buffer {
  const rows = shown.map((text, index) => rowXml(index + 2, [`row-${index}`, `${prompt} ${index}`, text, 'style']));
  const elements = links.map(([range], index) => `<hyperlink ref="${range}" r:id="rId${index}"/>`).join('');
  const relations = links.map(
    ([, target], index) =>
      `<Relationship Id="rId${index}" Type="${office}/hyperlink" Target="${target}" TargetMode="External"/>`,
  );
  const parts = workbookParts([
    {
      name: 'M',
      rows: rowXml(1, ['id', 'prompt', 'reference_1', 'reference_1_role']) + rows.join(''),
      after: `<hyperlinks xmlns:r="${office}">${elements}</hyperlinks>`,
    },
  ]);
  return zipOf([
    ...parts,
    { name: 'xl/worksheets/_rels/sheet1.xml.rels', content: `<Relationships>${relations.join('')}</Relationships>` },
  ]);
}

const sourcesOf = async (workbook: Buffer) =>
  (await briefsOf('x.xlsx', workbook)).map(({ brief }) => brief.references.map(({ source }) => source));
const url = (address: string) => [{ kind: 'url', url: address, sha256: null }];

test('a reference that shows a name is the address that it links to, and that is said', async () => {
  const workbook = linked(
    ['Logo', 'shoe.png', 'Same'],
    [
      ['C2', 'https://films.example/logo.png?a=1&amp;b=2'],
      ['C3:C4', 'https://films.example/shoe.png'],
    ],
  );
  expect(await sourcesOf(workbook)).toEqual([
    url('https://films.example/logo.png?a=1&b=2'),
    url('https://films.example/shoe.png'),
    url('https://films.example/shoe.png'),
  ]);
  const found = await checkText('x.xlsx', workbook);
  expect(lines(found)).toEqual([2, 3, 4].map((row) => `warning link_target ${row} - C reference_1`));
  expect(found.findings[0]).toMatchObject({
    before: 'Logo',
    message: 'it shows "Logo"; the address that it links to is used: https://films.example/logo.png?a=1&b=2',
  });
});

test('what is an address or an id stays as it is written', async () => {
  const workbook = linked(
    ['https://films.example/shown.png', 'ref_abc123'],
    [['C2:C3', 'https://films.example/other.png']],
  );
  expect(lines(await checkText('x.xlsx', workbook))).toEqual([]);
  expect(await sourcesOf(workbook)).toEqual([
    url('https://films.example/shown.png'),
    [{ kind: 'id', referenceId: 'ref_abc123' }],
  ]);
});

test('links to files, to mail and within the workbook, and links of other columns, are none of a reference', async () => {
  const workbook = linked(
    ['here.png', 'there.png'],
    [
      ['C2', 'file:///C:/here.png'],
      ['C3', 'mailto:ana@films.example'],
      ['B2:B3', 'https://films.example/brief'],
    ],
  );
  expect(lines(await checkText('x.xlsx', workbook))).toEqual([
    'error reference_missing 2 - C reference_1',
    'error reference_missing 3 - C reference_1',
  ]);
});

test('a range over the whole sheet is no burden', async () => {
  const workbook = linked(['Logo'], [['A1:XFD1048576', 'https://films.example/logo.png']]);
  expect(await sourcesOf(workbook)).toEqual([url('https://films.example/logo.png')]);
});
