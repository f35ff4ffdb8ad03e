import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** A picture with something in every corner, so that no part of its file says nothing. */
export function picture(side = 240) {
  const pixels = Buffer.alloc(side * side * 3);
  for (let at = 0; at < pixels.length; at += 1) pixels[at] = 128 + 90 * Math.sin(at / 50) + ((at * 2_654_435_761) % 37);
  return sharp(pixels, { raw: { width: side, height: side, channels: 3 } });
}

/** The smallest picture there is, whole. */
export const tinyPng = pngOf(1, 1, Buffer.from([0, 0]));

/** A PNG of one bit a pixel that unpacks to whatever `rows` are. */
export function pngOf(width: number, height: number, rows: Buffer): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 1;
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
