import { crc32 } from 'node:zlib';

/**
 * What is wrong with an image's file, or null. Decoders draw half an image without complaint, so its structure is
 * followed to its end: checksums of PNG, marker by marker in JPEG, block by block in GIF.
 */
export function imageDamage(bytes: Buffer, mimeType: string): string | null {
  const whole = walks[mimeType]?.(bytes) ?? true;
  return whole ? null : 'the image is damaged: its end is missing, or a part of it was changed';
}

const walks: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
  'image/png': pngIsWhole,
  'image/jpeg': jpegIsWhole,
  'image/gif': gifIsWhole,
  'image/webp': (bytes) => bytes.length >= 12 && bytes.readUInt32LE(4) + 8 <= bytes.length,
  'image/bmp': (bytes) => bytes.length >= 6 && bytes.readUInt32LE(2) <= bytes.length,
};

/** Length, type, data and CRC of each chunk, until IEND (PNG, 5.3). */
function pngIsWhole(bytes: Buffer): boolean {
  for (let at = 8; at + 12 <= bytes.length;) {
    const end = at + 8 + bytes.readUInt32BE(at);
    if (end + 4 > bytes.length || crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return false;
    if (bytes.toString('latin1', at + 4, at + 8) === 'IEND') return true;
    at = end + 4;
  }
  return false;
}

const [endOfImage, startOfScan] = [0xd9, 0xda];

/** Segments have their length; the data of a scan goes on until a marker that is neither a restart nor a stuffed byte. */
function jpegIsWhole(bytes: Buffer): boolean {
  let at = 2;
  while (at + 4 <= bytes.length || bytes[at + 1] === endOfImage) {
    if (bytes[at] !== 0xff) return false;
    const marker = bytes[at + 1] ?? 0;
    if (marker === endOfImage) return true;
    if (marker === 0xff) at++;
    else at += 2 + bytes.readUInt16BE(at + 2);
    if (marker === startOfScan) at = endOfScan(bytes, at);
  }
  return false;
}

function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    if (next !== undefined && next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  return bytes.length;
}

/** Images and extensions, each followed by blocks of up to 255 bytes, until the trailer (GIF89a, 12). */
function gifIsWhole(bytes: Buffer): boolean {
  const tableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let at = 13 + tableBytes(bytes[10] ?? 0);
  while (at < bytes.length) {
    const introducer = bytes[at];
    if (introducer === 0x3b) return true;
    if (introducer === 0x21) at += 2;
    else if (introducer === 0x2c) at += 11 + tableBytes(bytes[at + 9] ?? 0);
    else return false;
    while ((bytes[at] ?? 0) > 0) at += 1 + (bytes[at] ?? 0);
    at++;
  }
  return false;
}
