import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly content: string | Buffer;
  /** What the archive says that it unpacks to, where that is not the truth. */
  readonly saidBytes?: number;
}

/** An archive of packed entries, as any program writes it. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, saidBytes } of entries) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const nameBytes = Buffer.from(name);
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(20, 4);
    head.writeUInt16LE(8, 8);
    head.writeUInt32LE(crc32(bytes), 14);
    head.writeUInt32LE(packed.length, 18);
    head.writeUInt32LE(saidBytes ?? bytes.length, 22);
    head.writeUInt16LE(nameBytes.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(20, 4);
    head.copy(central, 6, 4, 30);
    central.writeUInt32LE(offset, 42);
    pieces.push(head, nameBytes, packed);
    directory.push(central, nameBytes);
    offset += head.length + nameBytes.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(
    directory.reduce((sum, { length }) => sum + length, 0),
    12,
  );
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...pieces, ...directory, end]);
}

export interface SheetXml {
  readonly name: string;
  /** What stands in `<sheetData>`. */
  readonly rows: string;
  readonly state?: 'hidden' | 'veryHidden';
  /** What stands behind `<sheetData>`. */
  readonly after?: string;
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** The parts of a workbook. `formats` are number formats, styles 1, 2, … in their order; style 0 is General. */
export function workbookParts(sheets: readonly SheetXml[], formats: readonly string[] = []): readonly ZipEntry[] {
  const tag = (name: string, content: string) => `<${name}>${content}</${name}>`;
  const list = sheets.map(
    ({ name, state }, index) =>
      `<sheet name="${name}" sheetId="${index + 1}"${state ? ` state="${state}"` : ''} r:id="rId${index + 1}"/>`,
  );
  const relations = sheets.map(
    (_, index) =>
      `<Relationship Id="rId${index + 1}" Type="${office}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
  );
  const codes = formats.map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${code}"/>`).join('');
  const styles = ['<xf numFmtId="0"/>', ...formats.map((_, index) => `<xf numFmtId="${164 + index}"/>`)].join('');
  return [
    {
      name: 'xl/workbook.xml',
      content: `<workbook xmlns="${main}" xmlns:r="${office}">${tag('sheets', list.join(''))}</workbook>`,
    },
    { name: 'xl/_rels/workbook.xml.rels', content: tag('Relationships', relations.join('')) },
    {
      name: 'xl/styles.xml',
      content: `<styleSheet xmlns="${main}">${tag('numFmts', codes)}${tag('cellXfs', styles)}</styleSheet>`,
    },
    ...sheets.map(({ rows, after = '' }, index) => ({
      name: `xl/worksheets/sheet${index + 1}.xml`,
      content: `<worksheet xmlns="${main}">${tag('sheetData', rows)}${after}</worksheet>`,
    })),
  ];
}

/** A row of cells that are texts, or `<c>` elements as they stand. */
export function rowXml(row: number, cells: readonly string[]): string {
  const content = cells.map((cell, column) => {
    const address = `${String.fromCharCode(65 + column)}${row}`;
    if (cell.startsWith('<c')) return cell.replace('<c', `<c r="${address}"`);
    return cell === '' ? '' : `<c r="${address}" t="inlineStr"><is><t xml:space="preserve">${cell}</t></is></c>`;
  });
  return `<row r="${row}">${content.join('')}</row>`;
}
