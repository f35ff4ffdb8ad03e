import { brotliDecompressSync } from 'node:zlib';

const headerLength = 48;
/** Tables that WOFF2 names by number instead of by tag (W3C WOFF2, 5.2): only their places in the list matter here. */
const knownTags = 'cmap head hhea hmtx maxp name OS/2 post cvt_ fpgm glyf loca'.split(' ');
const [cmapTag, glyfTag, locaTag] = ['cmap', 'glyf', 'loca'].map((tag) => knownTags.indexOf(tag));
const tagFollows = 63;

/** The code points that a WOFF2 font file has glyphs for, read from its character map. */
export function readCoverage(file: Uint8Array): ReadonlySet<number> {
  const view = viewOf(file);
  const tables = view.getUint16(12);
  const directory = readDirectory(view, tables);
  const compressed = file.subarray(directory.end, directory.end + view.getUint32(20));
  const data = brotliDecompressSync(compressed);
  if (!directory.cmap) return new Set();
  return readCharacterMap(viewOf(data.subarray(directory.cmap.offset, directory.cmap.offset + directory.cmap.length)));
}

function readDirectory(view: DataView, tables: number) {
  let position = headerLength;
  let offset = 0;
  let cmap: { readonly offset: number; readonly length: number } | undefined;
  const base128 = () => {
    let value = 0;
    for (;;) {
      const byte = view.getUint8(position++);
      value = value * 128 + (byte & 127);
      if (byte < 128) return value;
    }
  };
  for (let table = 0; table < tables; table++) {
    const flags = view.getUint8(position++);
    const tag = flags & 63;
    if (tag === tagFollows) position += 4;
    const originalLength = base128();
    const outlines = tag === glyfTag || tag === locaTag;
    const transformed = flags >> 6 !== (outlines ? 3 : 0);
    const length = transformed ? base128() : originalLength;
    if (tag === cmapTag) cmap = { offset, length };
    offset += length;
  }
  return { end: position, cmap };
}

/** Formats 4 (16 bit) and 12 (all of Unicode): the two that web fonts use for text. */
function readCharacterMap(view: DataView): ReadonlySet<number> {
  const covered = new Set<number>();
  for (let index = 0; index < view.getUint16(2); index++) {
    const start = view.getUint32(4 + index * 8 + 4);
    const format = view.getUint16(start);
    if (format === 4) addSegments(view, start, covered);
    if (format === 12) addGroups(view, start, covered);
  }
  return covered;
}

function addSegments(view: DataView, start: number, covered: Set<number>): void {
  const segments = view.getUint16(start + 6) / 2;
  const ends = start + 14;
  const starts = ends + segments * 2 + 2;
  const deltas = starts + segments * 2;
  const ranges = deltas + segments * 2;
  for (let segment = 0; segment < segments; segment++) {
    const [first, last] = [view.getUint16(starts + segment * 2), view.getUint16(ends + segment * 2)];
    const rangeAt = ranges + segment * 2;
    const range = view.getUint16(rangeAt);
    const delta = view.getUint16(deltas + segment * 2);
    for (let code = first; code <= last && code < 0xffff; code++) {
      const glyph = range === 0 ? code + delta : view.getUint16(rangeAt + range + (code - first) * 2);
      if ((glyph & 0xffff) !== 0) covered.add(code);
    }
  }
}

function addGroups(view: DataView, start: number, covered: Set<number>): void {
  const groups = view.getUint32(start + 12);
  for (let group = 0; group < groups; group++) {
    const at = start + 16 + group * 12;
    const last = view.getUint32(at + 4);
    for (let code = view.getUint32(at); code <= last; code++) covered.add(code);
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
