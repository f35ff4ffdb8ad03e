import { openAsBlob } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { checkManifest, fileSource } from '../../manifests/read-manifest.js';
import { measure } from '../measured-process.js';
import { serveBench } from './served.js';

export interface UploadOptions {
  readonly path: string;
  readonly folder: string;
  /** Read as `greenlight check` does, or brought to the desk and looked at there. */
  readonly how: 'check' | 'upload';
}

export interface Uploaded {
  readonly elapsedMs: number;
  /** The most that was held at once, beyond what the process had before. */
  readonly moreMb: number;
}

measure<UploadOptions, Uploaded>(async ({ path, folder, how }, start) => {
  const served = await serveBench(await mkdtemp(join(folder, 'home-')));
  const page = await (await fetch(`${served.url}/upload`, { headers: served.headers })).text();
  const token = /name="token" value="([^"]+)"/.exec(page)?.[1] ?? '';
  const before = process.resourceUsage().maxRSS;
  start();
  const startedAt = performance.now();
  if (how === 'check') await checkManifest(await fileSource(path), {});
  else await bring(path, { ...served, token });
  const elapsedMs = performance.now() - startedAt;
  const moreMb = (process.resourceUsage().maxRSS - before) / 1_024;
  await served.close();
  return { elapsedMs, moreMb };
});

interface Sent {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly token: string;
}

/** As a browser does: the form, then the page with its findings. */
async function bring(path: string, { url, headers, token }: Sent): Promise<void> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ token, again: '', campaign: '', budget: 'acme' })) form.set(name, value);
  form.set('manifest', await openAsBlob(path), 'sheet.csv');
  const taken = await fetch(`${url}/uploads`, { method: 'POST', redirect: 'manual', headers, body: form });
  const place = taken.headers.get('location');
  if (taken.status !== 303 || place === null) throw new Error(`Cannot bring the sheet: ${taken.status}`);
  const shown = await fetch(new URL(place, url), { headers });
  if (shown.status !== 200) throw new Error(`Cannot show the sheet: ${shown.status}`);
  await shown.text();
}
