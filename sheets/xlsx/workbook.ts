import { posix } from 'node:path';
import { fileError } from '../findings/manifest-error.js';
import { tagsOf } from './xml-tags.js';

export interface Sheet {
  readonly name: string;
  readonly isVisible: boolean;
  /** Name of its part in the archive. */
  readonly part: string;
}

/** The sheets of a workbook in their order; charts are none. */
export function sheetsOf(parts: ReadonlyMap<string, Buffer>): readonly Sheet[] {
  const targets = new Map<string, string>();
  for (const relation of tagsOf(smallPart(parts, 'xl/_rels/workbook.xml.rels'), 'Relationship')) {
    if (!/\/worksheet$/.test(relation.get('Type') ?? '')) continue;
    const target = relation.get('Target') ?? '';
    targets.set(relation.get('Id') ?? '', target.startsWith('/') ? target.slice(1) : posix.join('xl', target));
  }
  return [...tagsOf(smallPart(parts, 'xl/workbook.xml'), 'sheet')].flatMap((sheet) => {
    const part = targets.get(sheet.get('r:id') ?? '');
    if (part === undefined || !parts.has(part)) return [];
    return [{ name: sheet.get('name') ?? '', isVisible: !/hidden/i.test(sheet.get('state') ?? ''), part }];
  });
}

/** As much as the parts about a workbook may have, its sheets and their texts apart: the largest has some 7 MB. */
const mostSmallBytes = 8 * 1024 * 1024;

/** @throws ManifestError when it is too large for what it is. */
export function smallPart(parts: ReadonlyMap<string, Buffer>, name: string): string {
  const bytes = parts.get(name) ?? Buffer.alloc(0);
  if (bytes.length <= mostSmallBytes) return bytes.toString('utf8');
  throw fileError('too_large', `its ${name} has more than ${mostSmallBytes} bytes; save the sheet as CSV`);
}

/**
 * The sheet of a name, else the first one that a person sees.
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
  if (sheets.length === 0)
    throw fileError('broken_workbook', 'it has no sheet; open it in a spreadsheet and save it again');
  throw fileError('no_sheet', `it has no sheet "${name}"; its sheets are ${names}`);
}
