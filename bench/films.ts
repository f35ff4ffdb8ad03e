import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { FilmFigures, FilmRun } from './films-process.js';
import { runMeasured } from './measured-process.js';
import { line } from './report.js';

const root = fileURLToPath(new URL('..', import.meta.url));

const spec: FilmRun['spec'] = {
  prompt:
    'A red kite climbs over the dunes at dawn. Below, the sea answers with light. Children run along the beach, laughing. Far away the city wakes up slowly. Made for every wind.',
  durationSeconds: 30,
  aspectRatio: '16:9',
  style: 'cinematic',
  references: [],
  preset: 'film',
};

/** What films cost, of compiled code, each in a process of its own. Linux only: it reads the kernel's accounts. */
export async function benchFilms(): Promise<void> {
  const built = build();
  const run = (one: FilmRun) => measured(built, one);
  try {
    line(`${'film'.padEnd(34)}     wall  CPU s  peak MB`);
    row('30 s, 1280x720, 24 a second', await run({ what: 'render', spec }));
    row('30 s, 720x1280', await run({ what: 'render', spec: { ...spec, aspectRatio: '9:16' } }));
    const light = { ...spec, style: 'playful pastel, fast' };
    row('30 s, 1280x720, fast and light', await run({ what: 'render', spec: light }));
    const draft: FilmRun['spec'] = { ...spec, preset: 'draft', durationSeconds: 5 };
    row('draft of 5 s, best of 5', await best(5, () => run({ what: 'render', spec: draft })));
    const cancels = await several(5, () => run({ what: 'cancel', spec }));
    line(`cancel, slowest of 5: ${Math.max(...cancels.map(({ elapsedMs }) => elapsedMs)).toFixed(0)} ms`);
    const stubs = await run({ what: 'stubs', jobs: 1_000, spec: { ...spec, preset: 'stub' } });
    line(`stub, one of 1,000: ${stubs.elapsedMs.toFixed(2)} ms, ${stubs.cpuMs.toFixed(2)} ms CPU`);
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
}

function row(film: string, { elapsedMs, cpuMs, childPeakMb }: FilmFigures): void {
  const wall = `${(elapsedMs / 1_000).toFixed(2)} s`.padStart(9);
  const [cpu, peak] = [(cpuMs / 1_000).toFixed(2).padStart(7), childPeakMb.toFixed(0).padStart(9)];
  line(`${film.padEnd(34)}${wall}${cpu}${peak}`);
}

async function several<Result>(times: number, work: () => Promise<Result>): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let time = 0; time < times; time++) results.push(await work());
  return results;
}

/** Everything else on the machine only adds to it. */
async function best(times: number, work: () => Promise<FilmFigures>): Promise<FilmFigures> {
  const results = await several(times, work);
  return results.reduce((one, other) => (other.elapsedMs < one.elapsedMs ? other : one));
}

async function measured(built: string, run: FilmRun): Promise<FilmFigures> {
  const file = pathToFileURL(join(built, 'bench', 'films-process.js'));
  return (await runMeasured<FilmFigures>(file.href, run)).result;
}

/** Beside the packages, so that they are found. */
function build(): string {
  const built = join(root, 'node_modules', '.cache', `greenlight-bench-films-${process.pid}`);
  mkdirSync(built, { recursive: true });
  copyFileSync(join(root, 'package.json'), join(built, 'package.json'));
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { noEmit: false, outDir: built, rootDir: root, typeRoots: [join(root, 'node_modules', '@types')] },
    files: [join(root, 'bench', 'films-process.ts'), join(root, 'studio', 'render', 'child.ts')],
    exclude: [],
  };
  writeFileSync(join(built, 'tsconfig.json'), JSON.stringify(config));
  execFileSync(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', built], {
    cwd: root,
    stdio: 'inherit',
  });
  return built;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await benchFilms();
