import { Composer, type CST, type Document, Lexer, LineCounter, Parser, type YAMLError } from 'yaml';
import { type Excerpt, type Finding, findingAt, wholeFile } from '../../sheets/findings/finding.js';
import { excerptOf } from '../../sheets/text/excerpt.js';

export interface ParsedYaml {
  /** Null when the text has faults: nothing is read after one. */
  readonly document: Document.Parsed | null;
  readonly findings: readonly Finding[];
  /** Line, from 1, of a character of the text. */
  lineOf(offset: number): number;
}

/** A manifest nests its values five deep. Past some thousands the composer would end the process. */
const maxDepth = 100;
/** One fault causes others after it. */
const faultsShown = 20;

/** Parses YAML 1.2 with its core schema, whatever a `%YAML` line says: `no` is a word, and `16:9` is not 969. */
export function parseYaml(text: string): ParsedYaml {
  const lines = new LineCounter();
  const lineOf = (offset: number) => Math.max(1, lines.linePos(offset).line);
  const faulty = (findings: readonly Finding[]): ParsedYaml => ({ document: null, findings, lineOf });
  const tokens = tokensOf(text, lines);
  if (!tokens) return faulty([fault('too_large', 'it has more values than fit in memory; use CSV', null)]);
  const tooDeep = tokens.find((token) => depthOf(token) > maxDepth);
  if (tooDeep) return faulty([fault('too_deep', `its values nest more than ${maxDepth} deep`, null)]);
  const documents = [...new Composer(yamlOptions).compose(tokens)];
  const [document] = documents;
  if (documents.length > 1) {
    const [, second] = documents;
    const message = 'it has several documents (---); split it into several files';
    return faulty([fault('several_documents', message, lineOf(second?.range[0] ?? 0))]);
  }
  if (!document) return faulty([fault('empty_file', 'it has no movies', null)]);
  const faults = [...document.errors, ...document.warnings].slice(0, faultsShown);
  if (faults.length > 0) return faulty(faults.map((one) => faultOf(one, text, lineOf)));
  return { document: document as Document.Parsed, findings: [], lineOf }; // composed from a source, it has its ranges
}

/**
 * Names, values, signs and blanks of a file: 20,000 movies of five values have a million, and each takes some 300 bytes
 * once all are nodes.
 */
const maxLexemes = 3_000_000;

/** The text's tokens; null when there are more than fit in memory. */
function tokensOf(text: string, lines: LineCounter): readonly CST.Token[] | null {
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  let lexemes = 0;
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    lexemes += 1;
    if (lexemes > maxLexemes) return null;
    for (const token of parser.next(lexeme)) tokens.push(token);
  }
  for (const token of parser.end()) tokens.push(token);
  return tokens;
}

const yamlOptions = {
  version: '1.2',
  schema: 'core',
  merge: true,
  stringKeys: true,
  prettyErrors: false,
  // Found where keys are read: the library would compare each key with all others.
  uniqueKeys: false,
} as const;

function depthOf(token: CST.Token): number {
  let deepestSeen = 0;
  const open: [CST.Token, number][] = [[token, 0]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [one, depth] = next;
    deepestSeen = Math.max(deepestSeen, depth);
    if (depth > maxDepth) return depth;
    if (one.type === 'document' && one.value) open.push([one.value, depth]);
    if (!('items' in one)) continue;
    for (const item of one.items) {
      if (item.key) open.push([item.key, depth + 1]);
      if (item.value) open.push([item.value, depth + 1]);
    }
  }
  return deepestSeen;
}

function fault(code: string, message: string, line: number | null, excerpt?: Excerpt): Finding {
  return findingAt({ ...wholeFile, line }, { severity: 'error', code, message, excerpt: excerpt ?? null });
}

function faultOf({ code, message, pos }: YAMLError, text: string, lineOf: (offset: number) => number): Finding {
  const [from, to] = pos;
  const line = lineOf(from);
  const kind = code === 'TAG_RESOLVE_FAILED' ? 'unknown_tag' : 'yaml_fault';
  const excerpt = excerptOf(text, { from, to, line });
  const curly = /[\u201c-\u201f\u2018-\u201b]/.test(excerpt.text) ? `; curly quotes do not count as quotes` : '';
  return fault(kind, `${advice[code] ?? plain(message)}${curly}`, line, excerpt);
}

/** What to do about a fault when the parser's message does not say it. */
const advice: Readonly<Partial<Record<YAMLError['code'], string>>> = {
  BLOCK_AS_IMPLICIT_KEY: 'a colon with a blank after it begins a value; put the text in quotes',
  MULTILINE_IMPLICIT_KEY: 'this line has no "name: value"; indent it below its name, or put the text in quotes',
  BAD_SCALAR_START: 'a text cannot begin with @ ` % or |; put it in quotes',
  UNEXPECTED_TOKEN:
    "something follows a value that is complete; put the whole text in single quotes, with each ' in it doubled",
  TAB_AS_INDENT: 'the line is indented with a tab; use blanks',
  BAD_INDENT: 'the indentation does not fit the lines above, or a bracket is not closed',
  MISSING_CHAR: 'a character is missing here: a closing quote, the colon after a name, or the dash of a list',
  BAD_ALIAS: 'a text cannot begin with * or &; put it in quotes',
  NON_STRING_KEY: 'a name must be text; put a value that begins with { or [ in quotes',
  BAD_DQ_ESCAPE: 'a backslash in double quotes needs a second one; or use single quotes',
  TAG_RESOLVE_FAILED: 'it has a tag (!…) that is not known; leave it out, or put a text that begins with ! in quotes',
};

function plain(message: string): string {
  return message.replace(/\s*\n[\s\S]*$/, '').replace(/[.\s]+$/, '');
}
