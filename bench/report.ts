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

/** What one bench showed in one run, in the order in which it showed it. */
interface Section {
  readonly name: string;
  readonly parts: Part[];
  readonly curves: Curve[];
}

const sections: Section[] = [];

function add(part: Part): void {
  sections.at(-1)?.parts.push(part);
}

export function beginSection(name: string): void {
  const run = sections.filter((section) => section.name === name).length + 1;
  process.stdout.write(`\n== ${name}${run > 1 ? `, run ${run}` : ''}\n`);
  sections.push({ name, parts: [], curves: [] });
}

/** The last one ended before it had shown everything: it has no part in the report. */
export function dropSection(): void {
  sections.pop();
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
  sections.at(-1)?.curves.push(one);
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
  const benches = [...new Set(sections.map((section) => section.name))].map((bench) =>
    sections.filter((section) => section.name === bench),
  );
  const curves = benches.flatMap(medianCurves);
  const page = [
    '# Bench',
    `Written by \`${command}\` on ${new Date().toISOString().slice(0, 10)}: ${machine}, load ${load.toFixed(1)} at its end. On a machine that others use too, times are longer than they need be; CPU is what this run used.`,
    ...(curves.length === 0 ? [] : [`![How figures grow with the number of movies](${name}-growth.svg)`]),
    ...benches.flatMap((runs) => [
      `## ${runs[0]?.name}`,
      ...(runs.length > 1 ? [`Each figure is the median of ${runs.length} runs.`] : []),
      ...joined(medianParts(runs).map(written)),
    ]),
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

/** The parts of a bench that was run some times: each run shows the same, in the same order. */
function medianParts(runs: readonly Section[]): readonly Part[] {
  return (runs[0]?.parts ?? []).map((part, index) =>
    medianPart(
      part,
      runs.map(({ parts }) => parts[index]),
    ),
  );
}

function medianCurves(runs: readonly Section[]): readonly Curve[] {
  return (runs[0]?.curves ?? []).map((shown, index) => ({
    ...shown,
    points: shown.points.map(({ x }, point) => ({
      x,
      y: median(runs.map(({ curves }) => curves[index]?.points[point]?.y ?? Number.NaN)),
    })),
  }));
}

function medianPart(part: Part, shown: readonly (Part | undefined)[]): Part {
  if (shown.some((one) => one?.kind !== part.kind)) {
    throw new Error('Cannot write a report: the runs did not show the same');
  }
  if (part.kind === 'target') {
    const value = median(shown.flatMap((one) => (one?.kind === 'target' ? one.target.value : [])));
    return { kind: 'target', target: { ...part.target, value } };
  }
  const runs = shown.map(cellsOf);
  const rows = cellsOf(part).map((row, at) =>
    row.map((_, column) => medianText(runs.map((cells) => cells[at]?.[column] ?? ''))),
  );
  return part.kind === 'line' ? { kind: 'line', text: rows[0]?.[0] ?? '' } : { kind: 'table', rows };
}

function cellsOf(part: Part | undefined): readonly (readonly string[])[] {
  if (part?.kind === 'table') return part.rows;
  return part?.kind === 'line' ? [[part.text]] : [];
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
