import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { fileError } from '../findings/manifest-error.js';
import { doubledMarks } from './doubled-encoding.js';

/** How to read the bytes of a text. */
export interface TextEncoding {
  /** Its usual name: `UTF-8`, `UTF-16LE`, `windows-1252`. */
  readonly name: string;
  /** Bytes of the byte order mark at the start. */
  readonly markBytes: number;
  /** How it is known. A guess is reported as such. */
  readonly known: 'asked' | 'mark' | 'pattern' | 'strict' | 'guess';
  /** Words that would read differently in another encoding; only for a guess. */
  readonly sample?: readonly string[];
  /** Whether the text has signs of damage somewhere, so that each cell has to be checked. */
  readonly damageSigns: DamageSigns;
}

export interface DamageSigns {
  /** A sign that UTF-8 was read as something else and saved again, e.g. `Ã©` for `é`. */
  readonly doubled: boolean;
  /** The replacement character for one that could not be read. */
  readonly replaced: boolean;
  readonly nul: boolean;
}

export const anyDamageSign: DamageSigns = { doubled: true, replaced: true, nul: true };

const marks: readonly (readonly [name: string, mark: Buffer])[] = [
  ['UTF-8', Buffer.from([0xef, 0xbb, 0xbf])],
  ['UTF-32LE', Buffer.from([0xff, 0xfe, 0, 0])],
  ['UTF-32BE', Buffer.from([0, 0, 0xfe, 0xff])],
  ['UTF-16LE', Buffer.from([0xff, 0xfe])],
  ['UTF-16BE', Buffer.from([0xfe, 0xff])],
];

/**
 * Detects the encoding of a text: the one asked for; its byte order mark; the zeros that UTF-16 leaves in plain
 * letters; strict UTF-8; then a guess. Reads the whole stream once.
 *
 * @throws ManifestError when the bytes are not text in the encoding asked for, or mix two encodings.
 */
export async function detectEncoding(bytes: Readable, asked?: string): Promise<TextEncoding> {
  if (asked !== undefined && !isUtf8Name(asked) && !(await import('iconv-lite')).default.encodingExists(asked)) {
    throw fileError('unknown_encoding', `there is no encoding "${asked}"; use utf-8, utf-16le or windows-1252`);
  }
  const scan = await scanBytes(bytes);
  const mark = marks.find(([, bom]) => scan.head.subarray(0, bom.length).equals(bom)) ?? null;
  if (asked !== undefined) return ofAsked(asked, scan, mark);
  if (mark) return ofMark(mark, scan);
  const wide = wideName(scan.head);
  if (wide !== null) return { name: wide, known: 'pattern', markBytes: 0, damageSigns: anyDamageSign };
  if (scan.firstInvalid === null)
    return { name: 'UTF-8', known: 'strict', markBytes: 0, damageSigns: scan.damageSigns };
  const { guessEncoding } = await import('./guess-encoding.js'); // with its tables; most files need none
  return { ...guessEncoding(scan.sample, scan.firstInvalid), known: 'guess', markBytes: 0, damageSigns: anyDamageSign };
}

type Mark = (typeof marks)[number];

function ofMark([name, bytes]: Mark, { firstInvalid, damageSigns }: Scan): TextEncoding {
  if (name !== 'UTF-8') return { name, known: 'mark', markBytes: bytes.length, damageSigns: anyDamageSign };
  if (firstInvalid !== null) {
    throw fileError(
      'mixed_encoding',
      `it begins as UTF-8, and byte ${firstInvalid + 1} is not; save it as UTF-8 again`,
    );
  }
  return { name, known: 'mark', markBytes: bytes.length, damageSigns };
}

function ofAsked(asked: string, scan: Scan, mark: Mark | null): TextEncoding {
  // A mark that fits the encoding asked for says more: `utf16` alone leaves open which.
  if (mark && bare(mark[0]).startsWith(bare(asked))) return { ...ofMark(mark, scan), known: 'asked' };
  if (!isUtf8Name(asked)) return { name: asked, known: 'asked', markBytes: 0, damageSigns: anyDamageSign };
  if (scan.firstInvalid !== null) {
    throw fileError(
      'not_utf8',
      `byte ${scan.firstInvalid + 1} is not UTF-8; leave out --encoding, and it is found out`,
    );
  }
  return { name: 'UTF-8', known: 'asked', markBytes: 0, damageSigns: scan.damageSigns };
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

export function isUtf8Name(name: string): boolean {
  return /^utf-?8$/i.test(name);
}

interface Scan {
  readonly head: Buffer;
  /** Offset of the first byte that is not UTF-8, or null. */
  readonly firstInvalid: number | null;
  /** Some bytes from there on, for a guess. */
  readonly sample: Buffer;
  readonly damageSigns: DamageSigns;
}

const headBytes = 4096;
const sampleBytes = 64 * 1024;

const replacement = Buffer.from('\ufffd');

async function scanBytes(stream: Readable): Promise<Scan> {
  let head: Buffer = Buffer.alloc(0);
  let rest: Buffer = Buffer.alloc(0);
  let offset = 0;
  let firstInvalid: number | null = null;
  const sample: Buffer[] = [];
  let sampled = 0;
  const damageSigns = { doubled: false, replaced: false, nul: false };
  for await (const piece of stream as AsyncIterable<Buffer>) {
    if (head.length < headBytes) head = Buffer.concat([head, piece.subarray(0, headBytes - head.length)]);
    if (firstInvalid === null) {
      const bytes: Buffer = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
      const whole = bytes.length - unfinishedBytes(bytes);
      damageSigns.doubled ||= doubledMarks.some((mark) => bytes.includes(mark));
      damageSigns.replaced ||= bytes.includes(replacement);
      damageSigns.nul ||= bytes.includes(0);
      if (!isUtf8(bytes.subarray(0, whole))) firstInvalid = offset - rest.length + invalidAt(bytes);
      rest = bytes.subarray(whole);
    }
    if (firstInvalid !== null && sampled < sampleBytes) {
      const from = Math.max(0, firstInvalid - offset - 1024);
      const taken = piece.subarray(from, from + sampleBytes - sampled);
      sample.push(taken);
      sampled += taken.length;
    }
    offset += piece.length;
    if (sampled >= sampleBytes) break;
  }
  if (firstInvalid === null && rest.length > 0) {
    firstInvalid = offset - rest.length;
    sample.push(rest);
  }
  return { head, firstInvalid, sample: Buffer.concat(sample), damageSigns };
}

/** How many bytes at the end begin a character without ending it. */
function unfinishedBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
  }
  return 0;
}

/** Where bytes stop being UTF-8: by halving, since only "is it?" is fast. */
function invalidAt(bytes: Buffer): number {
  let good = 0;
  let bad = bytes.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    const part = bytes.subarray(0, middle);
    if (isUtf8(part.subarray(0, middle - unfinishedBytes(part)))) good = middle;
    else bad = middle;
  }
  return good - unfinishedBytes(bytes.subarray(0, good)); // the character that is broken begins there
}

/** UTF-16 without a mark: plain letters leave a zero in every second byte, always on the same side. */
function wideName(head: Buffer): string | null {
  let even = 0;
  let odd = 0;
  for (const [index, byte] of head.entries()) {
    if (byte !== 0) continue;
    if (index % 2 === 0) even += 1;
    else odd += 1;
  }
  const half = head.length / 2;
  if (odd > half * 0.4 && even < half * 0.05) return 'UTF-16LE';
  return even > half * 0.4 && odd < half * 0.05 ? 'UTF-16BE' : null;
}
