import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { BriefReference } from '../../domain/brief.js';
import type { NewRow } from '../../ledger/plan/create-batch.js';
import { findUpload } from '../../ledger/plan/uploads.js';
import { uploadLocalReferences } from '../../operations/upload/local-references.js';
import { openOffice } from './office.js';

const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex');

async function office() {
  const folder = await mkdtemp(join(tmpdir(), 'greenlight-references-'));
  const { deps, close } = await openOffice();
  onTestFinished(async () => {
    await close();
    await rm(folder, { recursive: true, force: true });
  });
  const path = join(folder, 'brand.txt');
  await writeFile(path, 'our colours');
  const uploaded: string[] = [];
  const api = {
    async uploadReference({ name, open }: { readonly name: string; readonly open: () => AsyncIterable<Buffer> }) {
      for await (const _ of open()) void _;
      uploaded.push(name);
      return { id: `ref-${uploaded.length}`, mime_type: null };
    },
  };
  const local: BriefReference = {
    source: { kind: 'file', path, sha256: sha256Of('our colours') },
    role: 'style',
    description: null,
  } as BriefReference; // as a sheet names it
  const named = {
    source: { kind: 'id', referenceId: 'ref_of_the_service' },
    role: 'style',
    description: null,
  } as BriefReference;
  const send = (...pages: (readonly BriefReference[])[]) =>
    uploadLocalReferences(deps, {
      manifest: { rows: () => pagesOf(pages) },
      api: api as never, // all that is called of it
      remoteFiles: { fetch: () => Promise.reject(new Error('nothing remote is asked for')) },
      signal: AbortSignal.timeout(30_000),
    });
  return { deps, path, uploaded, local, named, send };
}

async function* pagesOf(pages: readonly (readonly BriefReference[])[]) {
  for (const references of pages) yield [{ brief: { references } }] as unknown as readonly NewRow[]; // all that is read
}

test('files of this machine are uploaded once, and a worker finds them in the ledger', async () => {
  const { deps, uploaded, local, named, send } = await office();
  expect(await send([local, named], [local])).toBe(1);
  expect(uploaded).toEqual(['brand.txt']);
  expect(await findUpload(deps.ledger, { service: deps.service, sha256: sha256Of('our colours') })).toBe('ref-1');
  expect(await send([local])).toBe(1);
  expect(uploaded).toHaveLength(1);
});

test('a file that changed since the sheet was read is refused, and not remembered', async () => {
  const { deps, path, local, send } = await office();
  await writeFile(path, 'other colours');
  await expect(send([local])).rejects.toThrow('"brand.txt" has changed since it was checked');
  expect(await findUpload(deps.ledger, { service: deps.service, sha256: sha256Of('our colours') })).toBeNull();
});
