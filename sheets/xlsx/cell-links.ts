import { posix } from 'node:path';
import { cellAddress, sheetColumns } from './cell-address.js';
import type { WorkbookPackage } from './workbook-package.js';
import { type Attributes, attribute, readXml } from './xml-events.js';

/** A program marks a column of links with one range, and a person a few thousand cells. */
const maxLinks = 200_000;

const webAddress = /^https?:\/\//i;

/** Where the cells of one sheet link to: by hyperlinks, and by formulas such as `HYPERLINK("https://…", "Logo")`. */
export class CellLinks {
  readonly #addresses = new Map<number, string>();
  /** Cells with the id of the relation that holds their address. */
  readonly #waiting: { readonly key: number; readonly id: string }[] = [];

  /** The web address; null for a cell without a link, or with one within the workbook. */
  at(row: number, column: number): string | null {
    return this.#addresses.get(row * sheetColumns + column) ?? null;
  }

  addElement(attributes: Attributes): void {
    const id = attribute(attributes, 'id');
    const [first, last = first] = (attributes.ref ?? '').split(':').map((one) => cellAddress(one));
    if (id === undefined || !first || !last) return;
    for (let row = first.row; row <= last.row; row += 1) {
      for (let column = first.column; column <= last.column; column += 1) {
        if (this.#waiting.length >= maxLinks) return;
        this.#waiting.push({ key: row * sheetColumns + column, id });
      }
    }
  }

  addFormula({ row, column }: { readonly row: number; readonly column: number }, formula: string): void {
    const [, address = ''] = /^\s*HYPERLINK\(\s*"((?:[^"]|"")*)"/i.exec(formula) ?? [];
    if (webAddress.test(address)) this.#addresses.set(row * sheetColumns + column, address.replaceAll('""', '"'));
  }

  /** Reads the addresses of the hyperlinks, which are in a part of their own. */
  async resolve(parts: WorkbookPackage, part: string): Promise<void> {
    if (this.#waiting.length === 0) return;
    const name = posix.join(posix.dirname(part), '_rels', `${posix.basename(part)}.rels`);
    const targets = new Map<string, string>();
    await readXml(parts.read(name), name, {
      open: (tag, { Id: id = '', Target: target = '' }) => {
        if (tag === 'Relationship' && webAddress.test(target)) targets.set(id, target);
      },
    });
    for (const { key, id } of this.#waiting) {
      const target = targets.get(id);
      if (target !== undefined) this.#addresses.set(key, target);
    }
  }
}
