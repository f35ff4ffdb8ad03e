import type { ChildProcess } from 'node:child_process';
import { forkOwn } from '../../processes/own-code.js';
import { watchMemory } from './memory-limit.js';
import type { FilmSpec, RenderProgress } from './render.js';

/** A request to the child: one per process, so that a crash or a kill takes nothing else with it. */
export type ChildRequest =
  | { readonly kind: 'film'; readonly spec: FilmSpec }
  | { readonly kind: 'probe'; readonly path: string; readonly mimeType: string };

export type ChildMessage =
  /** A step was finished. The parent takes longer silence for a hang. */
  | { readonly type: 'alive' }
  | { readonly type: 'progress'; readonly progress: RenderProgress }
  | { readonly type: 'done'; readonly result: unknown }
  | { readonly type: 'failed'; readonly name: string; readonly message: string };

export interface ChildOptions {
  readonly onProgress?: (progress: RenderProgress) => void;
  readonly signal?: AbortSignal;
  /** Longest time between two messages from the child. */
  readonly silenceMs?: number;
  /** How much of the machine's memory it may hold. */
  readonly maxMegabytes?: number;
}

/** The child refused or failed in a way that it could still put into words. */
export class ChildFailure extends Error {
  readonly kind: string;

  constructor(kind: string, message: string) {
    super(message);
    this.name = 'ChildFailure';
    this.kind = kind;
  }
}

/** The child ended before it answered: what it was given to read may have killed it. */
export class ChildEnded extends Error {
  override readonly name = 'ChildEnded';
}

const errorTailLength = 2_000;
const subjectOf = { film: 'Cannot render: the film', probe: 'the file' } as const;
/** A machine with other things to do is slow to start a child and to draw its first frame. */
const maxSilenceMs = 60_000;
/** A film of two minutes at 720p takes 400 MB, the largest image accepted 256 MB; of twenty, one at a time. */
const maxMegabytesFor = { film: 2_048, probe: 1_024 } as const;

/** Starts a child, sends the request, and resolves with its answer once the process has ended. */
export function runInChild(request: ChildRequest, options: ChildOptions = {}): Promise<unknown> {
  const { onProgress, signal, silenceMs = maxSilenceMs, maxMegabytes = maxMegabytesFor[request.kind] } = options;
  return new Promise((resolve, reject) => {
    const child = startChild();
    const errorTail = tailOf(child);
    let outcome: { readonly result: unknown } | { readonly error: unknown } | undefined;
    const stop = (error: unknown) => {
      outcome ??= { error };
      child.kill('SIGKILL');
    };
    const onAbort = () => stop(signal?.reason);
    const silence = setTimeout(
      () => stop(new Error(`Cannot render: the renderer gave no sign of life for ${silenceMs / 1_000} s`)),
      silenceMs,
    );
    const stopWatching = watchMemory(child.pid, maxMegabytes, () =>
      stop(new ChildFailure('OutOfMemory', `${subjectOf[request.kind]} takes more than ${maxMegabytes} MB of memory`)),
    );
    signal?.addEventListener('abort', onAbort, { once: true });

    child.on('message', (message: ChildMessage) => {
      silence.refresh();
      if (message.type === 'progress') onProgress?.(message.progress);
      if (message.type === 'done') outcome ??= { result: message.result };
      if (message.type === 'failed') outcome ??= { error: new ChildFailure(message.name, message.message) };
    });
    child.once('error', (error) => {
      outcome ??= { error };
    });
    child.once('close', (code, killedBy) => {
      clearTimeout(silence);
      stopWatching();
      signal?.removeEventListener('abort', onAbort);
      if (outcome && 'result' in outcome) return resolve(outcome.result);
      reject(outcome ? outcome.error : new ChildEnded(earlyEnd(killedBy ?? `code ${code}`, errorTail())));
    });
    child.send(request, (error) => error && stop(error));
  });
}

/** System fonts stay out, so that a film looks the same everywhere; the service's own secrets stay out too. */
function startChild(): ChildProcess {
  const { PATH, TMPDIR } = process.env;
  return forkOwn(new URL('./child.js', import.meta.url), {
    env: { PATH, TMPDIR, DISABLE_SYSTEM_FONTS_LOAD: '1' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

/** Keeps the end of the child's stderr, where native code says why it gave up. */
function tailOf(child: ChildProcess): () => string {
  let tail = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-errorTailLength);
  });
  return () => tail.trim();
}

function earlyEnd(how: string, errorTail: string): string {
  return `Cannot render: the renderer ended early with ${how}${errorTail ? `: ${errorTail}` : ''}`;
}
