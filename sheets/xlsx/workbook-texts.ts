import type { WorkbookPackage } from './workbook-package.js';
import { readXml } from './xml-events.js';

/** Reads the texts that the cells of a workbook share, by index. Phonetic readings are left out. */
export async function sharedTexts(parts: WorkbookPackage, name: string): Promise<readonly string[]> {
  const texts: string[] = [];
  const text = new RichText();
  await readXml(parts.read(name), name, {
    open(tag) {
      if (tag === 'si') text.begin();
      else text.open(tag);
    },
    close(tag) {
      if (tag === 'si') texts.push(text.end());
      else text.close(tag);
    },
    text: (piece) => text.add(piece),
  });
  return texts;
}

/** A text that may have several runs: the content of its `t` elements, except those of readings (`rPh`). */
export class RichText {
  #pieces: string | null = null;
  #inText = false;
  #readings = 0;

  begin(): void {
    this.#pieces = '';
    this.#inText = false;
    this.#readings = 0;
  }

  open(tag: string): void {
    if (tag === 'rPh') this.#readings += 1;
    this.#inText = tag === 't' && this.#readings === 0;
  }

  close(tag: string): void {
    if (tag === 'rPh') this.#readings -= 1;
    if (tag === 't') this.#inText = false;
  }

  add(piece: string): void {
    if (this.#inText && this.#pieces !== null) this.#pieces += piece;
  }

  end(): string {
    const text = this.#pieces ?? '';
    this.#pieces = null;
    return unescaped(text);
  }
}

/** Workbooks write characters that XML cannot have as `_x000D_`, and an underscore that looks like one as `_x005F_`. */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
