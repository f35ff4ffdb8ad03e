import { posix } from 'node:path';
import { fileError } from '../findings/manifest-error.js';
import { foreignPackage } from '../foreign-file.js';
import { brokenWorkbook } from './broken-workbook.js';
import type { WorkbookPackage } from './workbook-package.js';
import { attribute, isOn, readXml, type XmlReader } from './xml-events.js';

export interface Sheet {
  readonly name: string;
  readonly isVisible: boolean;
  /** Name of its part in the archive. */
  readonly part: string;
}

export interface Workbook {
  /** In order, without charts. */
  readonly sheets: readonly Sheet[];
  /** Whether its days count from 1904, as on old Macs. */
  readonly is1904: boolean;
  readonly stylesPart: string;
  readonly stringsPart: string;
}

/** Finds the parts of a workbook by its relations, or without these by their usual names. */
export async function readWorkbook(parts: WorkbookPackage): Promise<Workbook> {
  const [root] = await relationsOf(parts, '', /\/officeDocument$/);
  const part = root?.target ?? 'xl/workbook.xml';
  const foreign = foreignPackage(parts.names());
  if (foreign !== null && !parts.has('xl/workbook.xml')) throw fileError('not_a_manifest', foreign);
  if (!parts.has(part)) throw brokenWorkbook('it has no workbook in it');
  const relations = await relationsOf(parts, part, /\/(?:worksheet|styles|sharedStrings)$/);
  const partOf = (kind: string, usual: string) =>
    relations.find(({ type }) => type.endsWith(`/${kind}`))?.target ?? posix.join(posix.dirname(part), usual);
  const sheets: Sheet[] = [];
  let is1904 = false;
  await readSmallPart(parts, part, {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = isOn(attributes.date1904);
      if (name !== 'sheet') return;
      const id = attribute(attributes, 'id');
      const found = relations.find((relation) => relation.id === id && relation.type.endsWith('/worksheet'));
      if (!found || !parts.has(found.target)) return;
      const isVisible = !/hidden/i.test(attributes.state ?? '');
      sheets.push({ name: attributes.name ?? '', isVisible, part: found.target });
    },
  });
  return {
    sheets,
    is1904,
    stylesPart: partOf('styles', 'styles.xml'),
    stringsPart: partOf('sharedStrings', 'sharedStrings.xml'),
  };
}

interface Relation {
  readonly id: string;
  readonly type: string;
  readonly target: string;
}

/** Relations of a part to others, of the types wanted; their targets as names in the archive. */
async function relationsOf(parts: WorkbookPackage, part: string, wanted: RegExp): Promise<readonly Relation[]> {
  const folder = part === '' ? '' : posix.dirname(part);
  const relations: Relation[] = [];
  await readSmallPart(parts, posix.join(folder, '_rels', `${posix.basename(part)}.rels`), {
    open(name, { Id: id = '', Type: type = '', Target: target = '' }) {
      if (name !== 'Relationship' || !wanted.test(type)) return;
      const plain = target.replaceAll('\\', '/');
      relations.push({ id, type, target: plain.startsWith('/') ? plain.slice(1) : posix.join(folder, plain) });
    },
  });
  return relations;
}

/** The most that a part other than sheets and their texts may have: the largest has some 7 MB. */
const maxSmallBytes = 8 * 1024 * 1024;

/** @throws ManifestError when it is too large for such a part. */
export async function readSmallPart(parts: WorkbookPackage, name: string, reader: XmlReader): Promise<void> {
  await readXml(limited(parts.read(name), name), name, reader);
}

async function* limited(pieces: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer, void, undefined> {
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    if (length > maxSmallBytes) {
      throw fileError('too_large', `its ${name} has more than ${maxSmallBytes} bytes; save the sheet as CSV`);
    }
    yield piece;
  }
}

/**
 * Returns the sheet of this name, else the first visible one.
 *
 * @throws ManifestError when there is none.
 */
export function chooseSheet(sheets: readonly Sheet[], name: string | undefined): Sheet {
  const names = sheets.map((sheet) => `"${sheet.name}"`).join(', ');
  const found =
    name === undefined
      ? (sheets.find(({ isVisible }) => isVisible) ?? sheets[0])
      : (sheets.find((sheet) => sheet.name === name) ??
        sheets.find((sheet) => sheet.name.trim().toLowerCase() === name.trim().toLowerCase()));
  if (found) return found;
  if (sheets.length === 0) throw brokenWorkbook('it has no sheet');
  throw fileError('no_sheet', `it has no sheet "${name}"; its sheets are ${names}`);
}
