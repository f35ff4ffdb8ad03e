import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import CliTable from 'cli-table3';
import { type Curve, curvesSvg } from './curves-svg.js';

/** What the benches showed, in the order in which they showed it. */
const sections: { readonly name: string; readonly parts: string[] }[] = [];
const curves: Curve[] = [];

function add(part: string): void {
  sections.at(-1)?.parts.push(part);
}

export function beginSection(name: string): void {
  process.stdout.write(`\n== ${name}\n`);
  sections.push({ name, parts: [] });
}

/** A line of figures. */
export function line(text: string): void {
  process.stdout.write(`${text}\n`);
  add(`    ${text}`);
}

/** @param head the first of them says what the rows are */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const shown = new CliTable({ head: [...head], style: { head: [], border: [] } });
  for (const row of rows) shown.push([...row]);
  process.stdout.write(`${shown.toString()}\n`);
  const cells = (row: readonly string[]) => `| ${row.join(' | ')} |`;
  add([cells(head), cells(head.map(() => '---')), ...rows.map(cells)].join('\n'));
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
export function target({ what, value, unit = '', atLeast, atMost }: Target): void {
  const met = (atLeast === undefined || value >= atLeast) && (atMost === undefined || value <= atMost);
  const wanted = atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`;
  const text = `${what}: ${value.toFixed(2)}${unit} (${wanted}${unit}${met ? '' : ', missed'})`;
  process.stdout.write(`${text}\n`);
  add(`- ${met ? '✓' : '✗'} ${text}`);
}

/** How a figure grows with the size of a run. */
export function curve(one: Curve): void {
  curves.push(one);
}

/** Everything that was shown, as one page: `<name>.md`, with `<name>-growth.svg` where something grew. */
export function writeReport(folder: string, name: string): void {
  mkdirSync(folder, { recursive: true });
  const [load = 0] = loadavg();
  const machine = `${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.versions.node}`;
  const command = ['npm run bench --', ...process.argv.slice(2)].join(' ');
  const page = [
    '# Bench',
    `Written by \`${command}\` on ${new Date().toISOString().slice(0, 10)}: ${machine}, load ${load.toFixed(1)} at its end. On a machine that others use too, times are longer than they need be; CPU is what this run used.`,
    ...(curves.length === 0 ? [] : [`![How figures grow with the number of movies](${name}-growth.svg)`]),
    ...sections.flatMap(({ name, parts }) => [`## ${name}`, ...joined(parts)]),
  ];
  writeFileSync(join(folder, `${name}.md`), `${page.join('\n\n')}\n`);
  if (curves.length > 0) writeFileSync(join(folder, `${name}-growth.svg`), curvesSvg(curves));
  process.stdout.write(`\nreport: ${join(folder, `${name}.md`)}\n`);
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
