import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import CliTable from 'cli-table3';
import { type Curve, curvesSvg } from './curves-svg.js';
import { median, medianText } from './median.js';

type Part =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'table'; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'target'; readonly target: Target };

interface Section {
  readonly name: string;
  readonly parts: Part[];
}

/** What the benches showed in one run, in the order in which they showed it. */
interface Run {
  readonly sections: Section[];
  readonly curves: Curve[];
}

const runs: Run[] = [];

function add(part: Part): void {
  runs.at(-1)?.sections.at(-1)?.parts.push(part);
}

export function beginRun(): void {
  runs.push({ sections: [], curves: [] });
}

export function beginSection(name: string): void {
  process.stdout.write(`\n== ${name}${runs.length > 1 ? `, run ${runs.length}` : ''}\n`);
  runs.at(-1)?.sections.push({ name, parts: [] });
}

/** A line of figures. */
export function line(text: string): void {
  process.stdout.write(`${text}\n`);
  add({ kind: 'line', text });
}

/** @param head the first of them says what the rows are */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const shown = new CliTable({ head: [...head], style: { head: [], border: [] } });
  for (const row of rows) shown.push([...row]);
  process.stdout.write(`${shown.toString()}\n`);
  add({ kind: 'table', rows: [head, ...rows] });
}

export interface Target {
  readonly what: string;
  readonly value: number;
  readonly unit?: string;
  /** One of them: what the value is to be at least or at most. */
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** A figure beside what it is to be. */
export function target(figure: Target): void {
  process.stdout.write(`${said(figure).text}\n`);
  add({ kind: 'target', target: figure });
}

function said({ what, value, unit = '', atLeast, atMost }: Target): { readonly met: boolean; readonly text: string } {
  const met = (atLeast === undefined || value >= atLeast) && (atMost === undefined || value <= atMost);
  const wanted = atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`;
  return { met, text: `${what}: ${value.toFixed(2)}${unit} (${wanted}${unit}${met ? '' : ', missed'})` };
}

/** How a figure grows with the size of a run. */
export function curve(one: Curve): void {
  runs.at(-1)?.curves.push(one);
}

/**
 * Everything that was shown, as one page: `<name>.md`, with `<name>-growth.svg` where something grew. Of several runs
 * each figure is the median.
 */
export function writeReport(folder: string, name: string): void {
  mkdirSync(folder, { recursive: true });
  const [load = 0] = loadavg();
  const machine = `${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.versions.node}`;
  const command = ['npm run bench --', ...process.argv.slice(2)].join(' ');
  const { sections, curves } = medianRun();
  const page = [
    '# Bench',
    `Written by \`${command}\` on ${new Date().toISOString().slice(0, 10)}: ${machine}, load ${load.toFixed(1)} at its end.${runs.length > 1 ? ` Every figure is the median of ${runs.length} runs.` : ''} On a machine that others use too, times are longer than they need be; CPU is what this run used.`,
    ...(curves.length === 0 ? [] : [`![How figures grow with the number of movies](${name}-growth.svg)`]),
    ...sections.flatMap(({ name: section, parts }) => [`## ${section}`, ...joined(parts.map(written))]),
  ];
  writeFileSync(join(folder, `${name}.md`), `${page.join('\n\n')}\n`);
  if (curves.length > 0) writeFileSync(join(folder, `${name}-growth.svg`), curvesSvg(curves));
  process.stdout.write(`\nreport: ${join(folder, `${name}.md`)}\n`);
}

function written(part: Part): string {
  if (part.kind === 'line') return `    ${part.text}`;
  if (part.kind === 'target') {
    const { met, text } = said(part.target);
    return `- ${met ? '✓' : '✗'} ${text}`;
  }
  const [head = [], ...rows] = part.rows;
  const cells = (row: readonly string[]) => `| ${row.join(' | ')} |`;
  return [cells(head), cells(head.map(() => '---')), ...rows.map(cells)].join('\n');
}

/** All runs as one. They show the same, in the same order. */
function medianRun(): Run {
  const [first, ...others] = runs;
  if (!first) throw new Error('Cannot write a report: nothing was run');
  return {
    sections: first.sections.map(({ name, parts }, section) => ({
      name,
      parts: parts.map((part, index) =>
        medianPart(part, [part, ...others.map((run) => run.sections[section]?.parts[index])]),
      ),
    })),
    curves: first.curves.map((shown, index) => ({
      ...shown,
      points: shown.points.map(({ x, y }, point) => ({
        x,
        y: median([y, ...others.map((run) => run.curves[index]?.points[point]?.y ?? Number.NaN)]),
      })),
    })),
  };
}

function medianPart(part: Part, shown: readonly (Part | undefined)[]): Part {
  const each = <T>(of: (one: Part) => T): readonly T[] =>
    shown.map((one) => {
      if (one?.kind !== part.kind) throw new Error('Cannot write a report: the runs did not show the same');
      return of(one);
    });
  if (part.kind === 'target') {
    const value = median(each((one) => (one.kind === 'target' ? one.target.value : Number.NaN)));
    return { kind: 'target', target: { ...part.target, value } };
  }
  if (part.kind === 'line')
    return { kind: 'line', text: medianText(each((one) => (one.kind === 'line' ? one.text : ''))) };
  const cell = (row: number, column: number) =>
    medianText(each((one) => (one.kind === 'table' ? (one.rows[row]?.[column] ?? '') : '')));
  return { kind: 'table', rows: part.rows.map((row, at) => row.map((_, column) => cell(at, column))) };
}

/** Lines and targets that follow each other are one list. */
function joined(parts: readonly string[]): readonly string[] {
  const blocks: string[] = [];
  for (const [index, part] of parts.entries()) {
    const kind = part.slice(0, 2);
    const goesOn = ['- ', '  '].includes(kind) && parts[index - 1]?.slice(0, 2) === kind;
    if (goesOn) blocks.push(`${blocks.pop()}\n${part}`);
    else blocks.push(part);
  }
  return blocks;
}
