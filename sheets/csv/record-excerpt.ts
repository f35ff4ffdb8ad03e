import type { Excerpt } from '../findings/finding.js';
import { excerptOf } from '../text/excerpt.js';
import type { CellSpan } from './cell-spans.js';
import { countLineEnds } from './record-bytes.js';

/** Returns the line of a record on which a part of it begins. */
export function recordExcerpt(record: Buffer, line: number, { start, end }: Pick<CellSpan, 'start' | 'end'>): Excerpt {
  const text = record.toString('utf8');
  const from = record.subarray(0, start).toString('utf8').length;
  const to = from + record.subarray(start, end).toString('utf8').length;
  return excerptOf(text, { from, to, line: line + countLineEnds(record.subarray(0, start)) });
}
