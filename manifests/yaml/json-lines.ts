import { Document, type Node, visit, YAMLSeq } from 'yaml';
import { type Finding, findingAt, wholeFile } from '../../sheets/findings/finding.js';
import { excerptOf } from '../../sheets/text/excerpt.js';
import { maxBriefs } from '../rows/expand-row.js';
import { type ParsedYaml, parseYaml } from './parse-yaml.js';

/** Here one fault does not cause others: each line is read by itself. */
const faultsShown = 100;

/** Reads JSON Lines, one movie per line. The lines become a list as in YAML, each value keeping its place. */
export function parseJsonLines(text: string): ParsedYaml {
  const starts = lineStarts(text);
  const lineOf = (offset: number) => lineAt(starts, offset);
  const findings: Finding[] = [];
  const list = new YAMLSeq<Node>();
  for (const [index, start] of starts.entries()) {
    const line = text.slice(start, starts[index + 1] ?? text.length).replace(/[\r\n]+$/, '');
    if (line.trim() === '') continue;
    if (list.items.length > maxBriefs || findings.length === faultsShown) break;
    const why = jsonFault(line);
    const node = why === null ? parseYaml(line).document?.contents : null;
    if (node) list.items.push(moved(node, start));
    else findings.push(faulty(why ?? 'it cannot be read', { text, line, start, number: index + 1 }));
  }
  if (findings.length > 0) return { document: null, findings, lineOf };
  const document = new Document();
  document.contents = list as unknown as typeof document.contents; // a list of nodes that were composed, with ranges
  return { document: document as unknown as NonNullable<ParsedYaml['document']>, findings: [], lineOf };
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The last line that begins at or before an offset, from 1. */
function lineAt(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}

function jsonFault(line: string): string | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? null : 'it is not an object';
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    return message.replace(/,?\s*"?\.{3}[\s\S]*|\s*\(line[\s\S]*|, "[\s\S]*/, '').replace(/ in JSON/, '');
  }
}

interface Faulty {
  readonly text: string;
  readonly line: string;
  readonly start: number;
  readonly number: number;
}

function faulty(why: string, { text, line, start, number }: Faulty): Finding {
  const message = `each line must be one movie, a JSON object in braces: ${why}`;
  const excerpt = excerptOf(text, { from: start, to: start + line.length, line: number });
  return findingAt({ ...wholeFile, line: number }, { severity: 'error', code: 'json_fault', message, excerpt });
}

/** Moves the node of one line to its place in the text. */
function moved(node: Node, by: number): Node {
  visit(node, {
    Node(_, one) {
      if (one.range) one.range = [one.range[0] + by, one.range[1] + by, one.range[2] + by];
    },
  });
  return node;
}
