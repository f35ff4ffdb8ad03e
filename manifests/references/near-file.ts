import { readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { nearestOf } from '../../sheets/edit-distance.js';

export interface NearFile {
  /** Relative to the manifest's folder, as named on disk. */
  readonly path: string;
  /** Whether the two names look the same: composed and decomposed letters, as Macs and others write them. */
  readonly isSameLook: boolean;
}

/** Finds files whose names are almost those in a sheet. Remembers each folder that it has read. */
export interface NearFiles {
  find(path: string): Promise<NearFile | null>;
}

/** How many names of a folder are compared letter by letter. */
const maxCompared = 2_000;

export function createNearFiles(folder: string): NearFiles {
  const listings = new Map<string, Promise<readonly string[]>>();
  const namesIn = (path: string) => {
    const known = listings.get(path) ?? readdir(path).catch(() => []);
    listings.set(path, known);
    return known;
  };
  return {
    async find(path) {
      let found = '';
      let isSameLook = true;
      for (const written of path.split(/[\\/]/)) {
        if (written === '' || written === '.') continue;
        if (written === '..') return null;
        const near = nearName(written, await namesIn(join(folder, found)));
        if (near === null) return null;
        isSameLook &&= near.isSameLook;
        found = found === '' ? near.name : `${found}/${near.name}`;
      }
      return found === '' ? null : { path: found, isSameLook };
    },
  };
}

function nearName(
  written: string,
  names: readonly string[],
): { readonly name: string; readonly isSameLook: boolean } | null {
  if (names.includes(written)) return { name: written, isSameLook: true };
  const wanted = written.normalize('NFC');
  const same = names.find((name) => name.normalize('NFC') === wanted);
  if (same !== undefined) return { name: same, isSameLook: true };
  const bare = bareFileName(written);
  const near =
    names.find((name) => bareFileName(name) === bare) ??
    onlyOf(names.filter((name) => bareFileName(stemOf(name)) === bareFileName(stemOf(written)))) ??
    onlyOf(names.filter((name) => bareFileName(stemOf(name)) === bare));
  if (near !== undefined) return { name: near, isSameLook: false };
  const spelled = nearestOf(written, names.slice(0, maxCompared));
  return spelled === null ? null : { name: spelled, isSameLook: false };
}

function onlyOf(names: readonly string[]): string | undefined {
  return names.length === 1 ? names[0] : undefined;
}

function stemOf(name: string): string {
  return name.slice(0, name.length - extname(name).length);
}

/** A name without what copies of it lose or gain: case, accents' form, blanks, the escapes of web addresses. */
function bareFileName(name: string): string {
  return unescaped(name)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_+\u200b-\u200f\u2060\ufeff]+/g, ' ')
    .trim();
}

const entities: ReadonlyMap<string, string> = new Map([
  ...[['amp', '&'] as const, ['lt', '<'] as const, ['gt', '>'] as const],
  ...[['quot', '"'] as const, ['apos', "'"] as const, ['nbsp', ' '] as const],
]);

/** `my%20logo.png` and `A&amp;B.png` as they were before a web page escaped them. */
function unescaped(name: string): string {
  const text = name.replace(/&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|(\w{2,6}));/gi, (whole, decimal, hex, word) => {
    if (word !== undefined) return entities.get(String(word).toLowerCase()) ?? whole;
    const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a percent sign that stands for itself
  }
}
