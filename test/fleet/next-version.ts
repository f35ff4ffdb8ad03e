import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

const run = promisify(execFile);

/** What workflows of the next version do first. */
const firstStep = {
  /** No history of the version before fits it. */
  timer: 'await new Promise((go) => setTimeout(go, 1));',
  /** An ordinary error, as of a name that was misspelt. */
  fault: 'nowhere.toBeFound();',
} as const;

/**
 * The same program with workflows that do something else first.
 *
 * @param main of the program as it is built from these sources
 * @returns its main file, gone after the test.
 */
export async function nextVersion(main: string, first: keyof typeof firstStep = 'timer'): Promise<string> {
  const built = dirname(dirname(dirname(main)));
  const folder = await mkdtemp(`${built}-next-`);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const entry of await readdir(built)) {
    if (entry !== 'dist') await symlink(join(built, entry), join(folder, entry));
  }
  await cp(join(built, 'dist'), join(folder, 'dist'), { recursive: true });
  for (const [name, step] of [
    ['slice-workflow.js', 'await takeUp();'],
    ['batch-workflow.js', 'if (await approved('],
  ] as const) {
    const path = join(folder, 'dist', 'workflows', name);
    const text = await readFile(path, 'utf8');
    if (!text.includes(step)) throw new Error(`Cannot make a next version: ${name} has no "${step}" any more`);
    await writeFile(path, text.replace(step, `${firstStep[first]}\n${step}`));
  }
  await run(process.execPath, [join(folder, 'dist', 'worker', 'bundle-workflows.js')]);
  return join(folder, 'dist', 'cli', 'main.js');
}
