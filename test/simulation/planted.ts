import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeBundle } from './sandbox.js';

/*
 * npm run planted                     every planted bug, each in a copy of the tree
 * npm run planted -- orders/          those whose names begin so
 *
 * A search that finds nothing says something only if it finds what is there. Each patch in `planted/` breaks one
 * promise; it is found when seeds of the simulation fail, else when one of its tests does. One that survives fails the
 * run.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seeds: { type: 'string', default: '60' }, failures: { type: 'string', default: '3' } },
});

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'test/simulation/planted');
const copy = mkdtempSync(join(tmpdir(), 'greenlight-planted-'));
const bundle = join(copy, 'workflows.js');

interface Planted {
  readonly name: string;
  readonly path: string;
  readonly what: string;
  readonly tests: readonly string[];
}

function read(path: string): Planted {
  const text = readFileSync(path, 'utf8');
  const line = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1] ?? '';
  const name = `${basename(dirname(path))}/${basename(path, '.patch')}`;
  return { name, path, what: line('What'), tests: line('Tests').split(' ').filter(Boolean) };
}

function run(command: string, args: readonly string[]): { readonly ok: boolean; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: copy, encoding: 'utf8', timeout: 900_000 });
  return { ok: status === 0, output: `${stdout}${stderr}` };
}

/** What found it; null when nothing did. */
function find({ path, tests }: Planted): string | null {
  const { seeds, failures } = values;
  const isInBundle = /^\+\+\+ b\/(workflows|domain)\//m.test(readFileSync(path, 'utf8'));
  const prepared = isInBundle ? [] : ['--bundle', bundle];
  const args = ['--import', 'tsx', 'test/simulation/main.ts', '--seeds', seeds, '--stop-after', failures, ...prepared];
  const { output } = run(process.execPath, args);
  const failed = [...output.matchAll(/^seed (\d+) failed: (.*)$/gm)];
  const last = failed.length === Number(failures) ? failed.at(-1)?.[1] : seeds;
  if (failed.length > 0) return `simulation: ${failed.length} of ${last} seeds, ${failed[0]?.[2]?.slice(0, 60)}`;
  if (!/seeds, \d+ failed/.test(output)) return `simulation: it does not run, ${output.slice(-60).trim()}`;
  if (tests.length === 0) return null;
  const tested = run('npx', ['vitest', 'run', ...tests]);
  return tested.ok ? null : `test: ${tests.join(' ')}`;
}

function plant(one: Planted): string | null {
  try {
    execFileSync('git', ['apply', '-C1', one.path], { cwd: copy, stdio: 'pipe' });
  } catch {
    broken += 1;
    return 'the patch does not fit the code any more: write it anew';
  }
  try {
    return find(one);
  } finally {
    execFileSync('git', ['apply', '-C1', '-R', one.path], { cwd: copy });
  }
}

function copyTree(): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  for (const path of listed.toString().split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(root, path), join(copy, path));
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  execFileSync('git', ['init', '-q'], { cwd: copy });
}

const patches = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.patch'))
  .filter((path) => positionals.length === 0 || positionals.some((begin) => path.startsWith(begin)))
  .toSorted();
let survived = 0;
let broken = 0;
try {
  copyTree();
  await writeBundle(bundle);
  for (const patch of patches) {
    const one = read(join(folder, patch));
    const found = plant(one);
    if (found === null) survived += 1;
    console.log(`${found === null ? 'SURVIVED' : 'found   '}  ${one.name.padEnd(44)} ${found ?? one.what}`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(`${patches.length} planted, ${survived} survived`);
if (broken > 0) console.log(`${broken} do not fit the code any more`);
if (survived + broken > 0) process.exitCode = 1;
