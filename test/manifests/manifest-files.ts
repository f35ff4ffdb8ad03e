import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  checkManifest,
  fileSource,
  type ManifestCheck,
  type ManifestOptions,
  type ManifestRow,
  readBriefs,
} from '../../manifests/read-manifest.js';

export const fixtures = new URL('../fixtures/manifests/', import.meta.url).pathname;

/** A folder that is gone after the test. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'greenlight-manifest-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a manifest and gives its path. */
export async function writeManifest(name: string, content: string | Buffer): Promise<string> {
  const path = join(await makeFolder(), name);
  await writeFile(path, content);
  return path;
}

export async function check(path: string, options: ManifestOptions = {}): Promise<ManifestCheck> {
  return checkManifest(await fileSource(path), options);
}

export async function checkText(name: string, content: string | Buffer, options: ManifestOptions = {}) {
  return check(await writeManifest(name, content), options);
}

export async function briefs(path: string, options: ManifestOptions = {}): Promise<readonly ManifestRow[]> {
  const rows: ManifestRow[] = [];
  for await (const page of readBriefs(await fileSource(path), options)) rows.push(...page);
  return rows;
}

export async function briefsOf(name: string, content: string | Buffer, options: ManifestOptions = {}) {
  return briefs(await writeManifest(name, content), options);
}

/** Findings as one line each: `error ratio_time 6 7 D aspect_ratio`. */
export function lines({ findings }: Pick<ManifestCheck, 'findings'>): readonly string[] {
  return findings.map(({ severity, code, row, line, column, field }) =>
    [severity, code, row ?? '-', line ?? '-', column ?? '-', field ?? '-'].join(' '),
  );
}
