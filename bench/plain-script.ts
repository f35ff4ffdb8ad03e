/**
 * The script that somebody writes in an afternoon: create, poll, download, side by side. No price, no approval, no
 * record; killed halfway it has lost what it knew. It is the speed of light of this service.
 */
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { request } from 'undici';

export interface PlainScriptOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly movies: number;
  readonly inFlight: number;
  readonly pollMs: number;
  readonly folder: string;
}

export async function plainScript({
  baseUrl,
  apiKey,
  movies,
  inFlight,
  pollMs,
  folder,
}: PlainScriptOptions): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const limit = pLimit(inFlight);
  await mkdir(folder, { recursive: true });
  await Promise.all([...Array(movies).keys()].map((number) => limit(() => make(number))));

  async function make(number: number): Promise<void> {
    const body = JSON.stringify({ prompt: `Bench movie number ${number}, quietly made`, duration_seconds: 5 });
    const { id } = await call<{ id: string }>('POST', '/movies', body);
    await sleep(pollMs);
    while ((await call<{ status: string }>('GET', `/movies/${id}`)).status !== 'completed') await sleep(pollMs);
    const { data } = await call<{ data: { type: string; url: string }[] }>('GET', `/movies/${id}/assets`);
    for (const asset of data) {
      const { body: bytes } = await request(asset.url);
      await pipeline(bytes, createWriteStream(join(folder, `${number}-${asset.type}`)));
    }
  }

  async function call<T>(method: 'GET' | 'POST', path: string, body?: string): Promise<T> {
    const answer = await request(`${baseUrl}${path}`, { method, headers, body: body ?? null });
    if (answer.statusCode >= 300)
      throw new Error(`${method} ${path}: ${answer.statusCode} ${await answer.body.text()}`);
    return (await answer.body.json()) as T;
  }
}
