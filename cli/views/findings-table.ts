import type { Finding, OmittedFindings } from '../../manifests/read-manifest.js';
import { printable } from '../../reports/wording/printable.js';
import { wrapWords } from '../terminal/text-width.js';
import { excerptLines } from './excerpt-lines.js';
import type { Paint } from './progress-view.js';

export interface FoundInFile {
  readonly findings: readonly Finding[];
  readonly omitted: readonly OmittedFindings[];
  /** Its header. */
  readonly head: { readonly columns: readonly string[] };
}

export interface FindingsView {
  readonly columns: number;
  readonly paint: Paint;
  /** Whether lines may be broken and cut; a pipe gets them whole. */
  readonly isTerminal: boolean;
}

/** Errors of one kind in one column that are shown one by one. */
const shownOfEach = 20;
/** Warnings and repairs of one kind that are shown one by one; more are folded into a line. */
const unfolded = 2;

/** What was found, for people, by its place: errors with the line of the file, what is alike folded where it begins. */
export function findingLines({ findings, omitted, head }: FoundInFile, view: FindingsView): readonly string[] {
  const groups = groupsOf(findings, omitted);
  const shown = new Map<Group, number>();
  return findings.flatMap((finding) => {
    const group = groups.get(groupKey(finding));
    if (!group) return []; // each is of one
    const before = shown.get(group) ?? 0;
    shown.set(group, before + 1);
    return linesOf(finding, group, { before, view, headers: head.columns });
  });
}

interface ShownSoFar {
  readonly before: number;
  readonly view: FindingsView;
  readonly headers: readonly string[];
}

function linesOf(finding: Finding, group: Group, { before, view, headers }: ShownSoFar): readonly string[] {
  const { severity, excerpt } = finding;
  if (severity !== 'error' && group.count > unfolded) {
    return before > 0 ? [] : wrapped(foldedLine(group, headers), view, severity);
  }
  if (before >= shownOfEach) return [];
  const lines = wrapped(findingLine(finding, headers), view, severity);
  if (excerpt) lines.push(...excerptLines(excerpt, view));
  const more = group.count - shownOfEach;
  if (before + 1 === shownOfEach && more > 0) lines.push(`  and ${amount(more)} more like it: --json has all`);
  return lines;
}

interface Group {
  readonly first: Finding;
  readonly kept: Finding[];
  count: number;
}

/** Alike are findings of one kind in one column; repairs also by what they did. In the order of their first. */
function groupsOf(findings: readonly Finding[], omitted: readonly OmittedFindings[]): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>();
  for (const finding of findings) {
    const key = groupKey(finding);
    const group = groups.get(key);
    if (group) {
      group.kept.push(finding);
      group.count += 1;
    } else groups.set(key, { first: finding, kept: [finding], count: 1 });
  }
  for (const one of omitted) {
    const alike = [...groups.values()].find(({ first }) => kindOf(first) === kindOf(one));
    if (alike) alike.count += one.count;
  }
  return groups;
}

function groupKey(finding: Finding): string {
  const { severity, before, after } = finding;
  return severity === 'repair' ? `${kindOf(finding)} ${before} ${after}` : kindOf(finding);
}

function kindOf({ severity, code, column, field }: Pick<Finding, 'severity' | 'code' | 'column' | 'field'>): string {
  return `${severity} ${code} ${column} ${field}`;
}

function findingLine(finding: Finding, headers: readonly string[]): string {
  const { row, line } = finding;
  const place = [
    row === null ? '' : `row ${row}`,
    line === null ? '' : row === null ? `line ${line}` : `(line ${line})`,
    nameOf(finding, headers),
  ];
  return words(...place, whatOf(finding));
}

/** An error that says what it would be written as is a repair, under `--strict`. */
function whatOf({ severity, message, before, after }: Finding): string {
  if (after === null || before === null || severity === 'warning') return `${severity} ${message}`;
  const change = `${before} -> ${after}`;
  return severity === 'repair'
    ? `repaired ${change}`
    : `error ${change} is a repair, which --strict refuses; ${message}`;
}

function foldedLine({ first, kept, count }: Group, headers: readonly string[]): string {
  const { severity, column, message, before, after } = first;
  const last = kept.at(-1) ?? first;
  const cell = ({ row }: Finding) => `${column ?? 'row '}${row}`;
  const rows = first.row === null ? '' : `rows ${first.row}-${last.row}`;
  const where = first.row === null ? '' : ` in ${amount(count)} rows: ${cell(first)} … ${cell(last)}`;
  if (severity === 'repair' && after !== null) {
    return `${words(rows, nameOf(first, headers), `repaired ${before} -> ${after}`)}${where}`;
  }
  const isSame = kept.every((finding) => finding.message === message);
  return `${words(rows, nameOf(first, headers), severity)}${where}: ${isSame ? '' : 'first, '}${message}`;
}

/** The column's letter and the team's own name for it. */
function nameOf({ column, field }: Finding, headers: readonly string[]): string {
  const header = column === null ? undefined : headers[indexOfLetter(column)];
  return words(column ?? '', printable(header ?? '') || (field ?? ''));
}

function indexOfLetter(letters: string): number {
  let index = 0;
  for (const letter of letters) index = index * 26 + letter.charCodeAt(0) - 64;
  return index - 1;
}

function words(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}

export function amount(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

function wrapped(text: string, { columns, isTerminal, paint }: FindingsView, severity: Finding['severity']): string[] {
  const lines = isTerminal ? wrapWords(printable(text), columns) : [printable(text)];
  const tone = severity === 'error' ? 'bad' : severity === 'warning' ? 'busy' : 'good';
  return lines.map((line) => line.replace(new RegExp(`\\b(?:${severity}|repaired)\\b`), (word) => paint(tone, word)));
}
