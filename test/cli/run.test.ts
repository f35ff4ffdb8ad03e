import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';

const main = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));
const loader = import.meta.resolve('tsx');
/** A start of Temporal, the studio and a worker on a busy machine. */
const patienceMs = 180_000;

const sheet = [
  'Id,Brief,Length,Ratio,Market',
  'ep-01,"A runner at dawn, close on the shoe",5,16x9,=de',
  'ep-02,Steam over a cup in a quiet kitchen,5,9:16,fr',
  '',
].join('\n');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenlight-run-'));
  await writeFile(join(folder, 'spring.csv'), sheet);
});
const running = new Set<ChildProcess>();
afterEach(async () => {
  for (const child of running) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('greenlight run, as a person starts it', () => {
  test('without a budget orders nothing and names the path', { timeout: patienceMs }, async () => {
    const { err, code } = await greenlight(['run', 'spring.csv', '--yes']);
    expect(err).toContain('no budget is defined on the path spring');
    expect(code).toBe(3);
  });

  test('with too small a budget orders nothing, and names level and figures', { timeout: patienceMs }, async () => {
    const { err, code } = await greenlight(['run', 'spring.csv', '--yes', '--budget', '0.10USD']);
    expect(err).toMatch(/budget spring has room for 0\.10 USD, the plan needs \d+\.\d\d USD/);
    expect(code).toBe(3);
    expect(await ordered('spring-1')).toBe(0);
  });

  test('without a terminal asks nobody, and says the command', { timeout: patienceMs }, async () => {
    const { err, code } = await greenlight(['run', 'spring.csv', '--budget', '500USD']);
    expect(err).toContain('greenlight approve spring-1 --yes');
    expect(code).toBe(3);
    expect(await ordered('spring-1')).toBe(0);
  });

  test('makes every movie, saves it with proof, and gives the sheet back', { timeout: patienceMs }, async () => {
    const { out, err, code } = await greenlight(['run', 'spring.csv', '--budget', '500USD', '--yes']);
    expect(err).toContain('spring-1 goes on: it has these very rows');
    expect(out).toContain('spring-1 finished, all delivered');
    expect(out).toContain('2 in = 2');
    expect(code).toBe(0);
    const [head, first] = (await readFile(join(folder, 'out/spring-1/results.csv'), 'utf8')).split('\r\n');
    expect(head).toMatch(/^Id,Brief,Length,Ratio,Market,state,movie_id,/);
    expect(first).toMatch(/^ep-01,"A runner at dawn, close on the shoe",5,16x9,'=de,delivered,movie_/);
    const certificate = JSON.parse(await readFile(join(folder, 'out/spring-1/certificate.json'), 'utf8'));
    expect(certificate).toMatchObject({ state: 'closed', provisional: false, rows: { in: 2, out: 2 } });
    expect(certificate.money.posted_minor).toBe(certificate.money.approved_minor);
    expect(await greenlight(['verify', 'out/spring-1'])).toMatchObject({ code: 0 });
  });

  test('again orders nothing, for nothing', { timeout: patienceMs }, async () => {
    const { out, code } = await greenlight(['run', 'out/spring-1/results.csv', '--campaign', 'spring', '--json']);
    expect(JSON.parse(out)).toMatchObject({ counts: { unchanged: 2 }, money: { approved: 0, posted: 0 } });
    expect(code).toBe(0);
  });

  test('Ctrl-C says how to go on, and the same command does', { timeout: 2 * patienceMs }, async () => {
    const rows = Array.from({ length: 12 }, (_, index) => `take-${index},A runner at dawn take ${index},5`);
    await writeFile(join(folder, 'takes.csv'), ['id,prompt,duration', ...rows].join('\n'));
    const command = ['run', 'takes.csv', '--budget', '500USD', '--yes', '--max-in-flight', '2'];
    const interrupted = await greenlight(command, async (child, saidOnStderr) => {
      await saidOnStderr('takes-1 making');
      child.kill('SIGINT');
    });
    expect(interrupted.err).toMatch(/Stopping: no new orders\..*Continue: same command\. Again = leave now\./);
    expect(interrupted.code).toBe(130);
    const finished = await greenlight(command);
    expect(finished.err).toContain('takes-1 goes on');
    expect(finished.out).toContain('12 in = 12');
    expect(finished.code).toBe(0);
    expect(await ordered('takes-1')).toBe(12);
  });
});

type Meanwhile = (child: ChildProcess, saidOnStderr: (words: string) => Promise<void>) => Promise<void>;

async function greenlight(args: readonly string[], meanwhile?: Meanwhile) {
  const env = { ...process.env, GREENLIGHT_STUDIO_RENDER: 'stub', TEMPORAL_CLI_PATH: inject('devServer') };
  const child = spawn(process.execPath, ['--import', loader, main, ...args], { cwd: folder, env });
  running.add(child);
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  const ended = once(child, 'close');
  const saidOnStderr = async (words: string) => {
    while (!err.includes(words)) await Promise.race([once(child.stderr, 'data'), ended]);
  };
  await meanwhile?.(child, saidOnStderr);
  const [code] = await ended;
  running.delete(child);
  return { out, err, code };
}

/** How many rows of a batch have a movie at the service. */
async function ordered(batchId: string): Promise<number> {
  const { out } = await greenlight(['status', batchId, '--json', '--rows']);
  const rows: { movie_id: string | null }[] = JSON.parse(out).rows;
  return new Set(rows.map(({ movie_id }) => movie_id).filter((id) => id !== null)).size;
}
