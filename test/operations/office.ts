import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMovieApi, type MovieApi } from '../../api/movie-api.js';
import type { Actor } from '../../domain/roles.js';
import { openLedger } from '../../ledger/ledger.js';
import { fileSource } from '../../manifests/read-manifest.js';
import type { OperationDeps } from '../../operations/deps.js';
import { type OpenManifest, openManifest } from '../../operations/open-manifest.js';
import type { SettingFlags } from '../../operations/settings.js';
import type { RemoteFiles } from '../../pricing/reference-uploader.js';
import { type Scene, setTheScene, studio } from '../ledger/scene.js';

/** A ledger, a folder of manifests and a movie service that answers as the test says. */
export interface Office {
  readonly deps: OperationDeps;
  readonly scene: Scene;
  readonly folder: string;
  /** What the workers were told, in order. */
  readonly told: readonly string[];
  /** Requests to the service, as `POST /movies/estimate`. */
  readonly requests: readonly string[];
  readonly api: MovieApi;
  answer(respond: (request: Request, body: string) => Response): void;
  /** Temporal is away. */
  tellNobody(): void;
  manifest(text: string, options?: { readonly name?: string } & SettingFlags): Promise<OpenManifest>;
  close(): Promise<void>;
}

export const everybody: Actor = {
  name: 'sam',
  roles: ['submitter', 'operator', 'finance', 'auditor', 'admin'],
  channel: 'terminal',
};

export const noRemoteFiles: RemoteFiles = { fetch: () => Promise.reject(new Error('not expected in this test')) };

export async function openOffice(): Promise<Office> {
  const folder = await mkdtemp(join(tmpdir(), 'greenlight-office-'));
  const ledger = await openLedger({ url: 'sqlite::memory:' });
  const scene = setTheScene(ledger);
  const told: string[] = [];
  const requests: string[] = [];
  let heard = true;
  let respond = (_request: Request, _body: string): Response => Response.json(estimate());
  const tell = (word: string) => async (batchId: string, slice?: number) => {
    told.push([word, batchId, slice].join(' ').trimEnd());
    return heard;
  };
  return {
    deps: {
      ...{ ledger, service: studio, clock: () => scene.nowMs },
      workflows: {
        startBatch: tell('start'),
        takeUpRows: tell('take up'),
        resizeBatch: tell('resize'),
        nudgeBatch: tell('nudge'),
        nudgeSlice: tell('follow'),
      },
    },
    ...{ scene, folder, told, requests },
    api: createMovieApi({
      ...{ baseUrl: 'http://service.test/v1', apiKey: 'test-key' },
      fetch: async (request) => {
        requests.push(`${request.method} ${new URL(request.url).pathname.replace('/v1', '')}`);
        return respond(request, await request.text());
      },
    }),
    answer: (given) => {
      respond = given;
    },
    tellNobody: () => {
      heard = false;
    },
    async manifest(text, { name = 'spring.csv', ...flags } = {}) {
      await writeFile(join(folder, name), text);
      const source = await fileSource(join(folder, name));
      return openManifest({ source, read: {}, flags, remoteFiles: noRemoteFiles });
    },
    async close() {
      await ledger.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export function estimate(over: Readonly<Record<string, unknown>> = {}) {
  return {
    ...{ estimated_credits: 3, estimated_runtime_seconds: 30, currency: 'USD', amount_minor: 100 },
    assumptions: ['a failed movie is charged'],
    ...over,
  };
}

export function refusal(status: number, headers: Record<string, string> = {}): Response {
  const error = { code: 'some_code', message: 'some words', request_id: 'req_1' };
  return Response.json({ error }, { status, headers });
}
