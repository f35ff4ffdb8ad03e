/** What both peers do for a movie, a call each; the service's own client is not part of what is measured. */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { request } from 'undici';
import { benchKey } from '../bench-services.js';
import { benchPrompt } from '../job-lengths.js';

export interface PeerOptions {
  readonly baseUrl: string;
  readonly movies: number;
  readonly inFlight: number;
  readonly pollMs: number;
  /** Of the peer's own server. */
  readonly serverUrl: string;
}

export interface Asset {
  readonly type: string;
  readonly url: string;
}

export function movieSteps(baseUrl: string, folder: string) {
  const headers = { authorization: `Bearer ${benchKey}`, 'content-type': 'application/json' };

  async function call<T>(method: 'GET' | 'POST', path: string, body: string | null = null, key?: string): Promise<T> {
    const all = key === undefined ? headers : { ...headers, 'idempotency-key': key };
    const answer = await request(`${baseUrl}${path}`, { method, headers: all, body });
    if (answer.statusCode < 300) return (await answer.body.json()) as T;
    throw new Error(`${method} ${path}: ${answer.statusCode} ${await answer.body.text()}`);
  }

  return {
    async create(number: number): Promise<string> {
      const body = JSON.stringify({ prompt: benchPrompt(number), duration_seconds: 5 });
      return (await call<{ id: string }>('POST', '/movies', body, `peer-${number}-of-bench`)).id;
    },
    status: async (id: string) => (await call<{ status: string }>('GET', `/movies/${id}`)).status,
    assets: async (id: string) => (await call<{ data: Asset[] }>('GET', `/movies/${id}/assets`)).data,
    async download(number: number, assets: readonly Asset[]): Promise<void> {
      for (const { type, url } of assets) {
        const { body } = await request(url);
        await pipeline(body, createWriteStream(join(folder, `${number}-${type}`)));
      }
    },
  };
}
