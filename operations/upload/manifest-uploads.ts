import { readFile, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import type { Actor } from '../../domain/roles.js';
import { assertMay } from '../../ledger/access/sight.js';
import { LedgerError } from '../../ledger/ledger-error.js';
import {
  checkManifest,
  type Finding,
  fileSource,
  type ManifestCheck,
  ManifestError,
  type ManifestOptions,
} from '../../manifests/read-manifest.js';
import type { OperationDeps } from '../deps.js';
import { type FindingsSince, findingKeys, findingsSince } from './findings-since.js';
import { removeStaleUploads } from './stale-uploads.js';

/** What uploads need besides the ledger. */
export interface UploadDeps extends OperationDeps {
  /** Holds a folder for each upload, with a record next to it. */
  readonly uploadsFolder: string;
  readonly allowPrivateReferences: boolean;
}

const Record = z.object({
  name: z.string(),
  by: z.string(),
  atMs: z.number(),
  campaign: z.string().nullable(),
  budget: z.string().nullable(),
  /** Errors and warnings of the earlier upload that this one replaces. */
  before: z.array(z.string()).nullable(),
});

/** An uploaded sheet, and how to read it. */
export interface Upload extends z.output<typeof Record> {
  readonly id: string;
  readonly path: string;
  readonly read: ManifestOptions;
}

export interface NewUpload {
  readonly actor: Actor;
  /** Where the sheet is: in a folder of its own, with the files that it names. */
  readonly path: string;
  /** The sender's name for it. */
  readonly name: string;
  readonly campaign: string | null;
  readonly budget: string | null;
  /** The earlier upload that this one replaces. */
  readonly again: string | null;
}

/** Keeps a received sheet without storing it as a batch. */
export async function keepUpload(deps: UploadDeps, upload: NewUpload): Promise<{ readonly id: string }> {
  const { actor, path, name, campaign, budget, again } = upload;
  await assertMay(deps.ledger.db, actor, { act: 'submit', words: `upload ${name}` });
  await removeStaleUploads(deps, Date.now());
  const id = basename(dirname(path));
  const earlier = again === null ? null : await checkUpload(deps, { id: again, actor }).catch(() => null);
  const before = earlier && findingKeys(earlier.check.findings);
  const record = { name, by: actor.name, atMs: deps.clock(), campaign, budget, before };
  const file = recordFile(deps, id);
  await writeFile(`${file}.new`, JSON.stringify(record), { mode: 0o600 });
  await rename(`${file}.new`, file);
  return { id };
}

export interface UploadLook {
  readonly id: string;
  readonly actor: Actor;
}

/** @throws LedgerError `unknown_upload` for one that does not exist, or that somebody else uploaded. */
export async function findUpload(deps: UploadDeps, { id, actor }: UploadLook): Promise<Upload> {
  await assertMay(deps.ledger.db, actor, { act: 'submit', words: 'show an upload' });
  const record = await readRecord(deps, id);
  if (record?.by !== actor.name) {
    throw new LedgerError('unknown_upload', 'Cannot find this upload: it is not here, or someone else uploaded it');
  }
  const read = {
    allowPrivateAddresses: deps.allowPrivateReferences,
    ...(record.campaign !== null && { campaign: record.campaign }),
  };
  return { ...record, id, path: join(deps.uploadsFolder, id, record.name), read };
}

/** An upload with everything that was found in it. */
export interface CheckedUpload {
  readonly upload: Upload;
  readonly check: Omit<ManifestCheck, 'head'> & { readonly head: ManifestCheck['head'] | null };
  /** Compared with the earlier upload that it replaces. */
  readonly since: FindingsSince | null;
}

/** Reads the sheet as `greenlight check` does. A file that is not a manifest gets that as its finding. */
export async function checkUpload(deps: UploadDeps, look: UploadLook): Promise<CheckedUpload> {
  const upload = await findUpload(deps, look);
  const check = await checkOf(upload);
  return { upload, check, since: upload.before && findingsSince(upload.before, check.findings) };
}

async function checkOf({ path, name, read }: Upload): Promise<CheckedUpload['check']> {
  const source = await fileSource(path, name);
  try {
    return await checkManifest(source, read);
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    return unusable(error.findings);
  }
}

function unusable(findings: readonly Finding[]): CheckedUpload['check'] {
  return { head: null, rows: 0, briefs: 0, errors: findings.length, warnings: 0, repairs: 0, findings, omitted: [] };
}

async function readRecord(deps: UploadDeps, id: string): Promise<z.output<typeof Record> | null> {
  if (!/^[0-9a-f-]{36}$/.test(id)) return null;
  try {
    return Record.parse(JSON.parse(await readFile(recordFile(deps, id), 'utf8')));
  } catch {
    return null;
  }
}

function recordFile({ uploadsFolder }: UploadDeps, id: string): string {
  return join(uploadsFolder, `${id}.json`);
}
