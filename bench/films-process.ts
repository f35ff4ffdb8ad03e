import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FilmSpec, type RenderOptions, renderFilm } from '../studio/render/render.js';
import { measure } from './measured-process.js';

export interface FilmRun {
  readonly what: 'render' | 'cancel' | 'stubs';
  readonly spec: Omit<FilmSpec, 'outFolder'>;
  /** Stubs only. */
  readonly jobs?: number;
}

export interface FilmFigures {
  readonly elapsedMs: number;
  /** Of this process and of the children that it has waited for. */
  readonly cpuMs: number;
  /** Highest resident memory of a child. */
  readonly childPeakMb: number;
}

measure<FilmRun, FilmFigures>(async (run) => {
  return figures(run, await mkdtemp(join(tmpdir(), 'films-')));
});

async function figures({ what, spec, jobs = 1 }: FilmRun, folder: string): Promise<FilmFigures> {
  switch (what) {
    case 'render':
      return timed(() => renderFilm({ ...spec, outFolder: folder }));
    case 'cancel':
      return { elapsedMs: await cancelMs({ ...spec, outFolder: folder }), cpuMs: 0, childPeakMb: 0 };
    case 'stubs': {
      const options = { stubCacheFolder: join(folder, 'kept') };
      const job = (name: string) => stubJob({ spec, outFolder: join(folder, name), options });
      await job('first');
      const all = await timed(async () => {
        for (let index = 0; index < jobs; index++) await job(`job-${index}`);
      });
      return { ...all, elapsedMs: all.elapsedMs / jobs, cpuMs: all.cpuMs / jobs };
    }
  }
}

async function stubJob({
  spec,
  outFolder,
  options,
}: {
  readonly spec: FilmRun['spec'];
  readonly outFolder: string;
  readonly options: RenderOptions;
}): Promise<void> {
  await mkdir(outFolder);
  await renderFilm({ ...spec, outFolder }, options);
}

async function timed(work: () => Promise<unknown>): Promise<FilmFigures> {
  let childPeakKb = 0;
  const watch = setInterval(() => {
    childPeakKb = Math.max(childPeakKb, ...children().map(peakKbOf));
  }, 40);
  const [startedAt, cpuBefore] = [performance.now(), cpuMsWithChildren()];
  await work();
  const elapsedMs = performance.now() - startedAt;
  clearInterval(watch);
  return { elapsedMs, cpuMs: cpuMsWithChildren() - cpuBefore, childPeakMb: childPeakKb / 1_024 };
}

/** From the order to stop until the film is known to be gone, child and files. */
async function cancelMs(spec: FilmSpec): Promise<number> {
  const abort = new AbortController();
  let abortedAt = 0;
  const film = renderFilm(spec, {
    signal: abort.signal,
    onProgress: ({ percent }) => {
      if (percent < 20 || abort.signal.aborted) return;
      abortedAt = performance.now();
      abort.abort(new Error('canceled'));
    },
  });
  await film.catch(() => undefined);
  return performance.now() - abortedAt;
}

function children(): readonly number[] {
  const listed = readdirSync('/proc/self/task').map((task) => readFileSync(`/proc/self/task/${task}/children`, 'utf8'));
  return listed.join(' ').split(/\s+/).filter(Boolean).map(Number);
}

function peakKbOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0; // gone since it was listed
  }
}

/** User and system time, the reaped children's too (proc(5): fields 14 to 17, a hundred ticks a second). */
function cpuMsWithChildren(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]) * 10, 0);
}
