import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, createWriteStream, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ReadOptions, ReadResult } from './manifests-process.js';
import { type Measured, runMeasured } from './measured-process.js';
import { line } from './report.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const rounds = 3;

/**
 * What reading a manifest costs: found, validated and digested, beside what other readers take to see its cells. Each
 * run is a process of its own, of compiled code, as people run it; the middle of three is shown.
 */
export async function benchManifests(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'manifests-'));
  const built = build();
  try {
    const small = await writeSheet(join(folder, 'small.csv'), 100_000);
    const large = await writeSheet(join(folder, 'large.csv'), 1_000_000);
    const yaml = writeYaml(join(folder, 'movies.yaml'), 20_000);
    line(`${'sheet'.padEnd(28)}${'read by'.padEnd(22)}      ms  CPU ms  MB`);
    const bare = await row('100,000 rows, 33 MB', 'csv-parse, bare loop', { built, path: small, how: 'csv-parse' });
    await row('', 'papaparse, cells alone', { built, path: small, how: 'papaparse' });
    const check = await row('', 'greenlight check', { built, path: small, how: 'check' }, bare);
    await row('', 'greenlight briefs', { built, path: small, how: 'briefs' }, bare);
    const many = await row('1,000,000 rows, 340 MB', 'greenlight check', { built, path: large, how: 'check' });
    const [times, memory] = [many.cpuMs / check.cpuMs, many.peakMemoryMb / check.peakMemoryMb];
    line(
      `${''.padEnd(28)}  ${times.toFixed(1)} times the CPU and ${memory.toFixed(2)} times the memory of 100,000 rows`,
    );
    await row('20,000 movies of YAML, 4 MB', 'greenlight check', { built, path: yaml, how: 'check' });
    line(`${'6 rows'.padEnd(28)}${'greenlight check, from start to end'.padEnd(22)} ${startMs(built).toFixed(0)} ms`);
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
}

interface Run extends ReadOptions {
  readonly built: string;
}

async function row(
  sheet: string,
  reader: string,
  run: Run,
  bare?: Measured<ReadResult>,
): Promise<Measured<ReadResult>> {
  const results: Measured<ReadResult>[] = [];
  const times = run.path.endsWith('large.csv') ? 1 : rounds;
  for (let round = 0; round < times; round += 1) results.push(await measured(run));
  const middle = results.sort((a, b) => a.cpuMs - b.cpuMs)[Math.floor(results.length / 2)];
  if (!middle) throw new Error(`Cannot measure ${reader}: it was never run`);
  const { cpuMs, peakMemoryMb, result } = middle;
  const figures = [
    result.elapsedMs.toFixed(0).padStart(8),
    cpuMs.toFixed(0).padStart(8),
    peakMemoryMb.toFixed(0).padStart(4),
  ];
  const compared = bare ? `  ${(cpuMs / bare.cpuMs).toFixed(2)} times the bare loop` : '';
  line(`${sheet.padEnd(28)}${reader.padEnd(22)}${figures.join('')}${compared}`);
  return middle;
}

function measured({ built, path, how }: Run): Promise<Measured<ReadResult>> {
  const file = pathToFileURL(join(built, 'bench', 'manifests-process.js'));
  return runMeasured<ReadResult>(file.href, { path, how });
}

/** Compiles what is measured: a loader in between would be measured too. Beside the packages, so that they are found. */
function build(): string {
  const built = join(root, 'node_modules', '.cache', `greenlight-bench-${process.pid}`);
  mkdirSync(built, { recursive: true });
  copyFileSync(join(root, 'package.json'), join(built, 'package.json'));
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { noEmit: false, outDir: built, rootDir: root, typeRoots: [join(root, 'node_modules', '@types')] },
    files: [join(root, 'bench', 'manifests-process.ts'), join(root, 'cli', 'main.ts')],
    exclude: [],
  };
  writeFileSync(join(built, 'tsconfig.json'), JSON.stringify(config));
  execFileSync(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', built], {
    cwd: root,
    stdio: 'inherit',
  });
  return built;
}

/** The best of five, since everything else on the machine only adds to it. */
function startMs(built: string): number {
  const example = join(root, 'manifests', 'examples', 'spring-launch.csv');
  const times = Array.from({ length: 5 }, () => {
    const startedAt = performance.now();
    const { status, stderr } = spawnSync(process.execPath, [join(built, 'cli', 'main.js'), 'check', example]);
    if (status !== 0) throw new Error(`Cannot measure greenlight check: ${stderr.toString()}`);
    return performance.now() - startedAt;
  });
  return Math.min(...times);
}

const header = 'id,prompt,duration,aspect_ratio,style,market,owner,sku,locale,launch,note,channel,product,agency';
const ratios = ['16:9', '9:16', '1:1', '4:5'];

/** 14 columns, some 340 bytes a row, a tenth of the prompts over two lines. */
export async function writeSheet(path: string, rows: number): Promise<string> {
  await pipeline(Readable.from(sheetPages(rows)), createWriteStream(path));
  if (statSync(path).size < rows * 300) throw new Error(`Cannot bench with ${path}: it is too small`);
  return path;
}

function* sheetPages(rows: number): Generator<string> {
  yield `${header}\r\n`;
  for (let from = 0; from < rows; from += 1_000) {
    yield Array.from({ length: Math.min(1_000, rows - from) }, (_, index) => sheetRow(from + index)).join('');
  }
}

function sheetRow(row: number): string {
  const first = `A runner at dawn close on the shoe ${row}.`;
  const rest =
    'The city wakes behind her and the light moves over wet asphalt and glass fronts of the old town near the river.';
  const prompt = row % 10 === 0 ? `"${first}\n""Slowly"", she says. ${rest}"` : `${first} ${rest}`;
  const own = `de,ana.schmidt@example.com,${100_000 + row},de-DE,2026-03-04,needs the new logo in the last second`;
  return `ep-${row},${prompt},${5 + (row % 60)},${ratios[row % 4]},hand-held warm light with a long lens,${own},instagram,shoe ${row % 100},north & south\r\n`;
}

function writeYaml(path: string, movies: number): string {
  const list = Array.from(
    { length: movies },
    (_, row) => `  - id: ep-${row}
    prompt: "A runner at dawn close on the shoe ${row}. The city wakes behind her and the light moves over wet asphalt."
    duration_seconds: ${5 + (row % 60)}
    aspect_ratio: "16:9"
    market: de
`,
  );
  writeFileSync(path, `campaign: spring\ndefaults: { style: "hand-held, warm light" }\nmovies:\n${list.join('')}`);
  return path;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await benchManifests();
