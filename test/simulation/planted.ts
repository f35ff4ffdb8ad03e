import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeBundle } from './sandbox.js';

/*
 * npm run planted                     every planted bug, two at a time, each in a copy of the tree
 * npm run planted -- orders/          those whose names begin so
 * npm run planted -- --by tests       each by its tests alone: minutes in place of an hour
 *
 * A search that finds nothing says something only if it finds what is there. Each patch in `planted/` breaks one
 * promise. It is found when a seed of the simulation fails, else when one of its tests does; where its head says
 * `Simulation: no, because ...`, its tests alone are asked. One that survives fails the run, and so does one that can no
 * longer be planted.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string', default: '60' },
    copies: { type: 'string', default: '2' },
    by: { type: 'string', default: 'seeds and tests' },
  },
});

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'test/simulation/planted');
const top = mkdtempSync(join(tmpdir(), 'greenlight-planted-'));
const bundle = join(top, 'workflows.js');
const longestMs = 900_000;
const running = new Set<ChildProcess>();

interface Planted {
  readonly name: string;
  readonly path: string;
  readonly text: string;
  readonly what: string;
  readonly simulated: boolean;
  readonly tests: readonly string[];
  /** Of its tests, those whose names have this. */
  readonly named: string;
}

type Verdict =
  | { readonly kind: 'found'; readonly by: string }
  | { readonly kind: 'SURVIVED' | 'BROKEN'; readonly by: string };

function read(path: string): Planted {
  const text = readFileSync(path, 'utf8');
  const line = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1] ?? '';
  return {
    ...{ name: `${basename(dirname(path))}/${basename(path, '.patch')}`, path, text, what: line('What') },
    ...{ simulated: !line('Simulation').startsWith('no'), named: line('Named') },
    tests: line('Tests').split(' ').filter(Boolean),
  };
}

/** Ends by itself at the latest after `longestMs`: what hangs is not found by it. */
async function run(cwd: string, command: string, args: readonly string[]) {
  const child = spawn(command, args, { cwd, timeout: longestMs, env: { ...process.env, NO_COLOR: '1' } });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  running.delete(child);
  return { code, output };
}

async function simulate(copy: string, { text }: Planted): Promise<Verdict> {
  const prepared = /^\+\+\+ b\/(workflows|domain)\//m.test(text) ? [] : ['--bundle', bundle];
  const args = ['--import', 'tsx', 'test/simulation/main.ts', '--seeds', values.seeds, '--stop-after', '1'];
  const { output } = await run(copy, process.execPath, [...args, ...prepared]);
  const [, seed, promise] = /^seed (\d+) failed: (.*)$/m.exec(output) ?? [];
  if (seed) return { kind: 'found', by: `seed ${seed}: ${promise?.slice(0, 90)}` };
  if (/seeds, 0 failed/.test(output)) return { kind: 'SURVIVED', by: `${values.seeds} seeds` };
  return { kind: 'BROKEN', by: `the simulation does not run: ${output.trim().slice(-200)}` };
}

async function test(copy: string, { tests, named }: Planted): Promise<Verdict> {
  if (tests.length === 0) return { kind: 'SURVIVED', by: 'it has no tests' };
  const chosen = named ? ['-t', named] : [];
  const { output } = await run(copy, 'npx', ['vitest', 'run', '--bail', '1', '--reporter', 'dot', ...chosen, ...tests]);
  // Of the lines, the one that names a test.
  const failed = /^ *FAIL +(.* > .*)$/m.exec(output)?.[1] ?? /^ *FAIL +(.*)$/m.exec(output)?.[1];
  if (failed && /^ *Tests +\d+ failed/m.test(output)) return { kind: 'found', by: failed.replace(/^\|\w+\| /, '') };
  if (/^ *Tests +\d+ passed/m.test(output)) return { kind: 'SURVIVED', by: tests.join(' ') };
  return { kind: 'BROKEN', by: `its tests do not run: ${output.trim().slice(-200)}` };
}

async function find(copy: string, one: Planted): Promise<Verdict> {
  const simulated = one.simulated && values.by !== 'tests' ? await simulate(copy, one) : null;
  if (simulated && simulated.kind !== 'SURVIVED') return simulated;
  const tested = await test(copy, one);
  return tested.kind === 'SURVIVED' && simulated ? { ...tested, by: `${simulated.by}; ${tested.by}` } : tested;
}

async function plant(copy: string, one: Planted): Promise<Verdict> {
  try {
    execFileSync('git', ['apply', '-C1', one.path], { cwd: copy, stdio: 'pipe' });
  } catch {
    return { kind: 'BROKEN', by: 'the patch does not fit the code any more: write it anew' };
  }
  try {
    return await find(copy, one);
  } finally {
    execFileSync('git', ['apply', '-C1', '-R', one.path], { cwd: copy });
  }
}

function copyTree(copy: string): string {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  for (const path of listed.toString().split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(root, path), join(copy, path));
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  execFileSync('git', ['init', '-q'], { cwd: copy });
  return copy;
}

const patches = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.patch'))
  .filter((path) => positionals.length === 0 || positionals.some((begin) => path.startsWith(begin)))
  .toSorted();
const verdicts: Verdict[] = [];

async function plantOneByOne(copy: string, left: string[]): Promise<void> {
  for (let patch = left.shift(); patch !== undefined; patch = left.shift()) {
    const one = read(join(folder, patch));
    const verdict = await plant(copy, one);
    verdicts.push(verdict);
    console.log(`${verdict.kind.padEnd(8)}  ${one.name.padEnd(44)} ${one.what}\n          by ${verdict.by}`);
  }
}

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(top, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
if (values.by !== 'tests') await writeBundle(bundle);
const left = [...patches];
const copies = Array.from({ length: Math.min(Number(values.copies), left.length) }, (_, n) => join(top, `copy-${n}`));
await Promise.all(copies.map((copy) => plantOneByOne(copyTree(copy), left)));
const many = (kind: Verdict['kind']) => verdicts.filter((verdict) => verdict.kind === kind).length;
console.log(
  `${verdicts.length} planted, ${many('found')} found, ${many('SURVIVED')} survived, ${many('BROKEN')} broken`,
);
if (verdicts.length === 0 || many('found') < verdicts.length) process.exitCode = 1;
