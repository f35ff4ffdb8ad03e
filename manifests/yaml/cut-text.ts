import { isScalar, isSeq, type Node } from 'yaml';
import type { ColumnUse } from '../../sheets/column.js';
import type { Trouble } from '../../sheets/findings/finding.js';

export interface CutText {
  readonly trouble: Trouble;
  /** Where the lost part begins and ends in the text. */
  readonly from: number;
  readonly to: number;
}

/**
 * Finds what ` #` cuts off a value: to YAML it is a comment, to the writer of `shot #3, slow` it was the prompt. People
 * write comments with a blank after the sign (`# for Anna`), so only texts that are sent are reported.
 */
export function cutTexts(node: Node | null, text: string, use: ColumnUse): readonly CutText[] {
  if (isSeq(node)) return (node.items as Node[]).flatMap((item) => cutTexts(item, text, use)); // composed from a text
  if (!isScalar(node) || !node.range || node.type === 'BLOCK_FOLDED' || node.type === 'BLOCK_LITERAL') return [];
  const [, end, behind] = node.range;
  const [, blanks = '', lost] = /^([ \t]+)(#[^\r\n]*)/.exec(text.slice(end, behind)) ?? [];
  if (lost === undefined) return [];
  const isComment = /^#+(?:\s|$)/.test(lost);
  const isSentText = isText(use);
  if (isComment && !isSentText) return [];
  const from = end + blanks.length;
  const severity = isSentText && !isComment ? 'error' : 'warning';
  const shown = lost.length > 60 ? `${lost.slice(0, 59)}…` : lost;
  const message = isComment
    ? `the text ends before "${shown}", which is a comment in YAML; put all of it in quotes if it belongs to the text`
    : `the text ends before "${shown}": YAML takes a # after a blank for a comment; put the whole text in quotes`;
  return [{ trouble: { severity, code: 'cut_text', message, before: lost }, from, to: from + lost.length }];
}

function isText(use: ColumnUse): boolean {
  if (use.kind === 'reference') return use.part === 'description';
  return use.kind === 'field' && (use.field === 'prompt' || use.field === 'style');
}
