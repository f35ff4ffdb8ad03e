import { columnLetter } from '../sheets/column.js';
import { exampleRows, examplesSheetName, rulesSheetName, type SampleColumn, sampleRows } from './sample-sheet.js';

/** Rows below the samples whose cells are text too, so that a `16:9` typed there stays as it is. */
const textRows = 500;

/**
 * The sample sheet as a workbook: cells formatted as text, lists to choose from where only some values are understood,
 * a sheet with a row of each kind to copy from, and one with what each column may contain.
 */
export async function templateWorkbook(columns: readonly SampleColumn[]): Promise<Buffer> {
  const { default: writeWorkbook } = await import('write-excel-file/node');
  const text = { type: String, format: '@' } as const;
  const bold = { ...text, fontWeight: 'bold' as const };
  const header = columns.map(({ name }) => ({ ...bold, value: name }));
  const samples = sampleRows.map((row) => columns.map(({ name }) => ({ ...text, value: row[name] ?? '', wrap: true })));
  const blank = Array.from({ length: textRows }, () => columns.map(() => ({ ...text, value: '' })));
  const lists = validationsXml(columns, 1 + samples.length + textRows);
  const movies = {
    data: [header, ...samples, ...blank],
    sheet: 'Movies',
    columns: columns.map(({ width }) => ({ width })),
    stickyRowsCount: 1,
  };
  const rules = {
    data: [
      [
        { ...bold, value: 'column' },
        { ...bold, value: 'what it may contain' },
      ],
      ...columns.map(({ name, about }) => [
        { ...text, value: name },
        { ...text, value: about, wrap: true },
      ]),
    ],
    sheet: rulesSheetName,
    columns: [{ width: 24 }, { width: 90 }],
    stickyRowsCount: 1,
  };
  const shown = [...columns, { name: 'shows', width: 44 }];
  const examples = {
    data: [
      shown.map(({ name }) => ({ ...bold, value: name })),
      ...exampleRows.map((row) => shown.map(({ name }) => ({ ...text, value: row[name] ?? '', wrap: true }))),
    ],
    sheet: examplesSheetName,
    columns: shown.map(({ width }) => ({ width })),
    stickyRowsCount: 1,
  };
  const transform = (xml: string, _: unknown, { sheetIndex }: { readonly sheetIndex: number }) =>
    sheetIndex === 0 ? xml.replace('</sheetData>', `</sheetData>${lists}`) : xml;
  const features = [{ files: { transform: { 'xl/worksheets/sheet{id}.xml': { transform } } } }];
  return writeWorkbook([movies, examples, rules], { features }).toBuffer();
}

/** A list is offered and not enforced: a ratio may be several, joined by `|`. */
function validationsXml(columns: readonly SampleColumn[], lastRow: number): string {
  const lists = columns.flatMap(({ choices = [] }, index) => {
    if (choices.length === 0) return [];
    const range = `${columnLetter(index)}2:${columnLetter(index)}${lastRow}`;
    const list = `<formula1>"${choices.join(',')}"</formula1>`;
    return [
      `<dataValidation type="list" allowBlank="1" showErrorMessage="0" sqref="${range}">${list}</dataValidation>`,
    ];
  });
  return lists.length === 0 ? '' : `<dataValidations count="${lists.length}">${lists.join('')}</dataValidations>`;
}
