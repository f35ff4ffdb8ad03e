import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { probeReference } from '../../studio/render/render.js';
import type { Books } from '../../studio/studio.js';
import {
  adminKey,
  apiKey,
  assetsOf,
  brief,
  callsOf,
  movieOf,
  openStudio,
  temporaryFolder,
  until,
} from './open-studio.js';

const main = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));

/** For thirteen drafts, on a machine that may have other things to do. */
const patienceMs = 400_000;

/** The command itself, in a process of its own that can be killed. */
async function startProcess(dataFolder: string, flags: readonly string[]) {
  const args = ['--import', 'tsx', main, 'studio', '--port', '0', '--data', dataFolder, '--books', '--json', ...flags];
  const child: ChildProcess = spawn(process.execPath, args, {
    env: { ...process.env, GREENLIGHT_STUDIO_KEY: apiKey, GREENLIGHT_STUDIO_ADMIN_KEY: adminKey },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  if (!child.stdout) throw new Error('Cannot read the studio: it has no output');
  const [line] = await once(createInterface(child.stdout), 'line');
  const { url } = JSON.parse(line) as { url: string };
  const calls = callsOf(fetch, url);
  return {
    ...calls,
    pid: child.pid ?? 0,
    async books(): Promise<Books> {
      return (await (await calls.call('GET', url.replace('/v1', '/_studio/books'), { key: adminKey })).json()) as Books;
    },
    async kill(signal: 'SIGKILL' | 'SIGTERM') {
      child.kill(signal);
      await once(child, 'exit');
      return child.exitCode;
    },
  };
}

test(
  'a killed studio loses nothing: what rendered and what waited is finished, and the books are the same',
  async () => {
    const dataFolder = await temporaryFolder();
    const before = await startProcess(dataFolder, ['--render', 'draft', '--concurrency', '3']);
    // The first three are long, so that few have ended when three are under way.
    const lengths = Array.from({ length: 13 }, (_, index) => (index < 3 ? 30 : 5));
    const movies: string[] = [];
    for (const duration_seconds of lengths) movies.push(await before.create({ ...brief, duration_seconds }));
    await untilThreeRender(before);
    const renderers = childrenOf(before.pid);
    const { creates, requests, movies: halfway } = await before.books();
    // How far it got is the machine's affair: three are under way, and what waits came last.
    const waits = halfway.map(({ status }) => status === 'queued');
    expect(waits).toContain(true);
    expect(waits.lastIndexOf(false)).toBeLessThan(waits.indexOf(true));
    await before.kill('SIGKILL');
    await until(() => !renderers.some(isAlive)); // nobody is left to take their films

    const after = await startProcess(dataFolder, ['--render', 'draft', '--concurrency', '3']);
    const kept = await after.books();
    expect(kept.creates).toEqual(creates);
    expect(kept.requests.slice(0, requests.length)).toEqual(requests);
    await untilAllCompleted(after);
    expect((await after.books()).creates).toEqual(creates);
    for (const [index, movie] of movies.entries()) {
      const assets = await assetsOf(await after.call('GET', `/movies/${movie}/assets`));
      expect(assets[0]).toMatchObject({ type: 'final_video', duration_seconds: lengths[index] });
      for (const { url } of assets) {
        const file = await fetch(url);
        const bytes = Buffer.from(await file.arrayBuffer());
        expect(file.headers.get('etag')).toBe(`"${createHash('sha256').update(bytes).digest('hex')}"`);
      }
    }
    expect(await after.kill('SIGTERM')).toBe(0);
  },
  patienceMs,
);

type Process = Awaited<ReturnType<typeof startProcess>>;

async function untilThreeRender({ books }: Process): Promise<void> {
  await until(async () => (await books()).movies.filter(({ status }) => status === 'rendering').length === 3);
}

/** None where the kernel does not tell. */
function childrenOf(pid: number): readonly number[] {
  if (process.platform !== 'linux') return [];
  const listed = readdirSync(`/proc/${pid}/task`).map((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8'),
  );
  const children = listed.join(' ').split(/\s+/).filter(Boolean).map(Number);
  expect(children.length).toBeGreaterThanOrEqual(3);
  return children;
}

/** A zombie is dead: who should bury it is not of this test. */
function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}

async function untilAllCompleted({ books }: Process): Promise<void> {
  await until(async () => {
    const { movies } = await books();
    expect(movies.filter(({ status }) => status === 'failed')).toEqual([]);
    return movies.every(({ status }) => status === 'completed');
  }, patienceMs);
}

test('keys, idempotency, references and URLs survive', async () => {
  const dataFolder = await temporaryFolder();
  const headers = { 'idempotency-key': 'order-0001' };
  const form = new FormData();
  form.set('file', new Blob(['a text to read']));
  const first = await startProcess(dataFolder, ['--render', 'stub']);
  const { id: reference_id } = (await (await first.call('POST', '/references', { body: form })).json()) as {
    id: string;
  };
  const body = { ...brief, references: [{ reference_id, role: 'document' }] };
  const movie = await first.create(body, { headers });
  const [asset] = await assetsOf(await first.call('GET', `/movies/${movie}/assets`));
  await first.kill('SIGKILL');

  const { call, create } = await openStudio({ dataFolder });
  expect(await create(body, { headers })).toBe(movie);
  expect(await movieOf(await call('GET', `/movies/${movie}`))).toMatchObject({ status: 'completed' });
  const { pathname, search } = new URL(asset?.url ?? '');
  expect((await call('GET', `http://studio.test${pathname}${search}`, { key: '' })).status).toBe(200);
});

test('a movie never goes back over a restart', async () => {
  const dataFolder = await temporaryFolder();
  const hanging = await openStudio({
    dataFolder,
    render: 'draft',
    renderer: {
      probeReference,
      async renderFilm(_, { onProgress, signal } = {}) {
        onProgress?.({ percent: 70, stage: 'rendering' });
        return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
      },
    },
  });
  const movie = await hanging.create();
  await until(async () => (await hanging.statusOf(movie)) === 'rendering');
  await hanging.studio.close();

  const seen: string[] = [];
  const again = await openStudio({
    dataFolder,
    render: 'draft',
    renderer: {
      probeReference,
      async renderFilm(_, { onProgress } = {}) {
        onProgress?.({ percent: 5, stage: 'planning' });
        const { status, progress } = await movieOf(await again.call('GET', `/movies/${movie}`));
        seen.push(`${status} ${progress?.percent}`);
        throw new Error('it is broken');
      },
    },
  });
  await until(async () => (await again.statusOf(movie)) === 'failed');
  expect(seen).toEqual(['rendering 70']);
  expect(await movieOf(await again.call('GET', `/movies/${movie}`))).toMatchObject({
    status: 'failed',
    error: { code: 'render_failed', message: 'Cannot render movie: it is broken' },
  });
});
