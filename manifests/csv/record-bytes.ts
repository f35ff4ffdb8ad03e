/**
 * The bytes that went into the parser and are still of interest: those since the last record's end. Also counts lines,
 * since the parser's own count takes a CRLF inside a quoted cell for two.
 */
export class RecordBytes {
  #pieces: { readonly start: number; readonly bytes: Buffer }[] = [];
  /** Everything before it is counted. */
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

  /** The line that the byte at `offset` is on. Offsets may only grow; bytes before it are given up. */
  lineAt(offset: number): number {
    for (let piece = this.#pieces[0]; piece; piece = this.#pieces[0]) {
      const pieceEnd = piece.start + piece.bytes.length;
      if (this.#counted < offset) {
        this.#count(piece.bytes.subarray(this.#counted - piece.start, offset - piece.start));
        this.#counted = Math.min(offset, pieceEnd);
      }
      if (pieceEnd > offset) break;
      this.#pieces.shift();
    }
    return this.#line;
  }

  /** The bytes from `start`, which must not be given up yet, to before `end`. */
  slice(start: number, end: number): Buffer {
    const parts = this.#pieces
      .filter((piece) => piece.start < end && piece.start + piece.bytes.length > start)
      .map((piece) => piece.bytes.subarray(Math.max(0, start - piece.start), end - piece.start));
    return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
  }

  #count(bytes: Buffer): void {
    if (bytes.length === 0) return;
    // A line feed after a carriage return belongs to it, also over the edge of two pieces.
    if (this.#lastWasReturn && bytes[0] === lineFeed) this.#line -= 1;
    this.#line += countLineEnds(bytes);
    this.#lastWasReturn = bytes[bytes.length - 1] === carriageReturn;
  }
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Line ends of all three kinds; a CRLF is one. */
export function countLineEnds(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) count += 1;
  for (let at = bytes.indexOf(carriageReturn); at !== -1; at = bytes.indexOf(carriageReturn, at + 1)) {
    if (bytes[at + 1] !== lineFeed) count += 1;
  }
  return count;
}
