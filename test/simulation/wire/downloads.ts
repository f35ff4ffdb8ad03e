import { Dispatcher } from 'undici';
import type { ArchiveFolder, ArchiveStore } from '../../../archive/archive-store.js';
import { StorageError } from '../../../archive/errors.js';
import type { Faults } from '../faults.js';
import type { Gates, Process } from '../gates.js';
import type { NetworkDeps } from './network.js';

const fileFaults = ['refused', 'cut', 'cut', 'reset', '503', 'page', '403'] as const;
type FileFault = (typeof fileFaults)[number];

/** Serves the files of the studio to the real downloader, on a wire that cuts them. */
export class FileWire extends Dispatcher {
  readonly #deps: NetworkDeps;
  readonly #process: Process;

  constructor(deps: NetworkDeps, process: Process) {
    super();
    this.#deps = deps;
    this.#process = process;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    let over = false;
    const controller = {
      ...{ aborted: false, paused: false, reason: null as Error | null, rawHeaders: null, rawTrailers: null },
      pause: () => undefined,
      resume: () => undefined,
      abort: (reason: Error) => {
        if (over) return;
        over = true;
        Object.assign(controller, { aborted: true, reason });
        handler.onResponseError?.(controller, reason);
      },
    };
    handler.onRequestStart?.(controller, {});
    void this.#answer(options).then(
      ({ status, headers, pieces, cut }) => {
        if (over) return;
        handler.onResponseStart?.(controller, status, headers, '');
        for (const piece of pieces) handler.onResponseData?.(controller, piece);
        if (cut) return controller.abort(Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }));
        over = true;
        handler.onResponseEnd?.(controller, {});
      },
      (error: Error) => controller.abort(error),
    );
    return true;
  }

  async #answer({ origin, path, method, headers }: Dispatcher.DispatchOptions): Promise<Answered> {
    const { gates, faults, studio, probability } = this.#deps;
    await gates.park({ kind: 'request', label: `file ${path.replace(/\?.*/, '')}`, process: this.#process });
    const fault = faults.draw(1.5 * probability, fileFaults, 'a download');
    const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
    const server = studio();
    if (!server || fault === 'refused') throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    if (fault === 'reset') throw reset;
    if (fault === '503' || fault === '403') return { status: Number(fault), headers: {}, pieces: [], cut: false };
    const request = new Request(new URL(path, origin?.toString()), { method, headers: textHeaders(headers) });
    const answer = await server.fetch(request);
    const bytes = Buffer.from(await answer.arrayBuffer());
    return { ...broken(fault, bytes, faults), status: answer.status, headers: headersOf(answer, fault) };
  }
}

interface Answered {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly pieces: readonly Buffer[];
  readonly cut: boolean;
}

function broken(fault: FileFault | null, bytes: Buffer, { random }: Faults): Pick<Answered, 'pieces' | 'cut'> {
  if (fault !== 'cut') return { pieces: [bytes], cut: false };
  return { pieces: [bytes.subarray(0, random.below(bytes.length))], cut: true };
}

function headersOf(answer: Response, fault: FileFault | null): Record<string, string> {
  const headers = Object.fromEntries(answer.headers);
  return fault === 'page' ? { ...headers, 'content-type': 'text/html' } : headers;
}

function textHeaders(headers: Dispatcher.DispatchOptions['headers']): Record<string, string> {
  return { ...(headers as Record<string, string>) }; // the downloader gives an object of texts
}

export interface DiskDeps {
  readonly gates: Gates;
  readonly faults: Faults;
  readonly probability: number;
}

/** The archive's own store, with a gate before each step and a disk that may be full. */
export function gatedStore(
  store: ArchiveStore,
  process: Process,
  { gates, faults, probability }: DiskDeps,
): ArchiveStore {
  async function step<T>(label: string, doing: () => Promise<T>): Promise<T> {
    await gates.park({ kind: 'disk', label, process });
    const fault = faults.draw(probability, ['disk full before', 'disk full after'], label);
    const full = new StorageError(`Cannot ${label}: the disk is full (ENOSPC)`, 'ENOSPC');
    if (fault === 'disk full before') throw full;
    const done = await doing();
    if (fault === 'disk full after') throw full;
    return done;
  }
  return {
    ...store,
    async openFolder(folder) {
      const opened = await step(`open ${folder}`, () => store.openFolder(folder));
      const gated: ArchiveFolder = {
        work: opened.work,
        confirm: (files) => step('confirm files', () => opened.confirm(files)),
        publish: (name, file, content) => step(`publish ${name}`, () => opened.publish(name, file, content)),
        writeText: (name, text) => step(`write ${name}`, () => opened.writeText(name, text)),
        sync: () => step('sync', () => opened.sync()),
        dropWork: () => step('drop work', () => opened.dropWork()),
      };
      return gated;
    },
  };
}
