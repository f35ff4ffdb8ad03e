/**
 * The bytes that went into the parser and are still needed. Also counts lines, since the parser counts a CRLF inside a
 * quoted cell as two.
 */
export class RecordBytes {
  #pieces: { readonly start: number; readonly bytes: Buffer }[] = [];
  /** Lines are counted up to here. */
  #counted = 0;
  #line: number;
  #lastWasReturn = false;
  #end = 0;

  constructor(firstLine: number) {
    this.#line = firstLine;
  }

  /** Bytes seen so far. */
  get end(): number {
    return this.#end;
  }

  add(bytes: Buffer): void {
    this.#pieces.push({ start: this.#end, bytes });
    this.#end += bytes.length;
  }

  /** Counts and releases the bytes before `offset`, as far as whole pieces go. */
  forget(offset: number): void {
    this.lineAt(offset);
    this.#pieces = this.#pieces.filter(({ start, bytes }) => start + bytes.length > offset);
  }

  /** The line that the byte at `offset` is on. Offsets may only grow. */
  lineAt(offset: number): number {
    for (const { start, bytes } of this.#pieces) {
      if (start >= offset) break;
      const end = Math.min(offset, start + bytes.length);
      if (end <= this.#counted) continue;
      this.#count(bytes, this.#counted - start, end - start);
      this.#counted = end;
    }
    return this.#line;
  }

  /** The bytes from `start`, which must not be released yet, to before `end`. */
  slice(start: number, end: number): Buffer {
    const parts = this.#pieces
      .filter((piece) => piece.start < end && piece.start + piece.bytes.length > start)
      .map((piece) => piece.bytes.subarray(Math.max(0, start - piece.start), end - piece.start));
    return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
  }

  #count(bytes: Buffer, from: number, to: number): void {
    // A line feed after a carriage return belongs to it, even across the edge of two pieces.
    if (this.#lastWasReturn && bytes[from] === lineFeed) this.#line -= 1;
    this.#line += countLineEnds(bytes, from, to);
    this.#lastWasReturn = bytes[to - 1] === carriageReturn;
  }
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Line ends of all three kinds between two offsets; a CRLF is one. */
export function countLineEnds(bytes: Buffer, from = 0, to = bytes.length): number {
  let count = 0;
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at];
    if (byte === lineFeed ? at === from || bytes[at - 1] !== carriageReturn : byte === carriageReturn) count += 1;
  }
  return count;
}
