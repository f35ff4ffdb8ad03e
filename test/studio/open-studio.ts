import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { type Asset, AssetList, ErrorBody, Movie } from '../../api/contract.js';
import { createStudio, type Studio, type StudioOptions } from '../../studio/studio.js';

// Studios render in processes of their own, and a machine may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

export const apiKey = 'key-of-the-test';
export const otherKey = 'key-of-somebody-else';
export const adminKey = 'key-to-books-and-faults';
export const brief = { prompt: 'A lighthouse at dusk, gulls above it', duration_seconds: 5 };

/** A folder that is gone when the test is over. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'studio-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export interface OpenedStudio {
  readonly studio: Studio;
  call(method: string, path: string, options?: CallOptions): Promise<Response>;
  /** Creates a movie and returns its id. */
  create(body?: object, options?: CallOptions): Promise<string>;
  statusOf(movieId: string): Promise<string>;
}

export interface CallOptions {
  readonly body?: unknown;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** A studio of stubs in process, closed when the test is over. */
export async function openStudio(options: Partial<StudioOptions> = {}): Promise<OpenedStudio> {
  const studio = await createStudio({
    dataFolder: options.dataFolder ?? (await temporaryFolder()),
    apiKeys: [apiKey, otherKey],
    adminKey,
    render: 'stub',
    books: true,
    onError: (error) => {
      throw error;
    },
    ...options,
  });
  onTestFinished(() => studio.close());
  return { studio, ...callsOf((request) => studio.fetch(request), 'http://studio.test/v1') };
}

export function callsOf(fetch: (request: Request) => Promise<Response>, baseUrl: string): Omit<OpenedStudio, 'studio'> {
  async function call(method: string, path: string, { body, key = apiKey, headers = {}, signal }: CallOptions = {}) {
    const isForm = body instanceof FormData;
    return fetch(
      new Request(path.startsWith('http') ? path : `${baseUrl}${path}`, {
        method,
        headers: {
          ...(key !== '' && { authorization: `Bearer ${key}` }),
          ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: isForm || typeof body === 'string' ? body : JSON.stringify(body) }),
        ...(signal && { signal }),
      }),
    );
  }
  return {
    call,
    async create(body = brief, options = {}) {
      const response = await call('POST', '/movies', { ...options, body });
      if (response.status !== 202) throw new Error(`Cannot create: ${response.status} ${await response.text()}`);
      return (await movieOf(response)).id;
    },
    async statusOf(movieId) {
      return (await movieOf(await call('GET', `/movies/${movieId}`))).status;
    },
  };
}

/** Waits for something that another process or a later turn brings about. */
export async function until(condition: () => boolean | Promise<boolean>, patienceMs = 100_000): Promise<void> {
  await vi.waitUntil(condition, { timeout: patienceMs, interval: 20 });
}

export async function movieOf(response: Response): Promise<Movie> {
  return Movie.parse(await response.json());
}

export async function assetsOf(response: Response): Promise<readonly Asset[]> {
  return AssetList.parse(await response.json()).data;
}

/** Status, code and message of a refusal, whose request id must be the one in the header. */
export async function errorOf(response: Response): Promise<{ readonly code: string; readonly message: string }> {
  const { error } = ErrorBody.parse(await response.json());
  expect(response.headers.get('x-request-id')).toBe(error.request_id);
  return { code: `${response.status} ${error.code}`, message: error.message };
}

export async function codeOf(response: Response): Promise<string> {
  return (await errorOf(response)).code;
}

/** A clock that stands still until it is moved. */
export function handClock(startMs = Date.UTC(2026, 0, 1)) {
  let nowMs = startMs;
  const clock = () => nowMs;
  return Object.assign(clock, {
    forward(seconds: number) {
      nowMs += seconds * 1000;
    },
  });
}
