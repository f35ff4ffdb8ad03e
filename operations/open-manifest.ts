import type { BriefReference } from '../domain/brief.js';
import { digestBriefs } from '../domain/digests/briefs-digest.js';
import { contentDigest } from '../domain/digests/content-digest.js';
import type { BatchSettings } from '../ledger/batches/batch-record.js';
import type { NewRow } from '../ledger/plan/create-batch.js';
import {
  checkManifest,
  type Finding,
  ManifestError,
  type ManifestOptions,
  type ManifestRow,
  type ManifestSource,
  readBriefs,
} from '../manifests/read-manifest.js';
import type { RemoteFiles } from '../pricing/reference-uploader.js';
import { type SettingFlags, settingsOf } from './settings.js';

export interface ManifestInput {
  readonly source: ManifestSource;
  readonly read: ManifestOptions;
  readonly flags: SettingFlags;
  readonly remoteFiles: RemoteFiles;
}

/** A manifest without errors, ready to plan or store. */
export interface OpenManifest {
  readonly name: string;
  readonly columns: readonly string[];
  readonly campaign: string;
  readonly settings: BatchSettings;
  /** Digest of the briefs and of the settings that change the plan. */
  readonly briefsDigest: string;
  readonly rowCount: number;
  /** The encoding of its text, if it was guessed. */
  readonly guessedEncoding: string | null;
  /** Warnings and repairs. */
  readonly findings: readonly Finding[];
  /** From memory, or for a large file from the file again: 100,000 rows are never held at once. */
  rows(): AsyncIterable<readonly NewRow[]>;
}

/**
 * Reads a whole manifest, fetching its remote references once to know their bytes.
 *
 * @throws ManifestError with every finding when one of them is an error; ReferenceProblem when a remote reference is
 * not a file.
 */
export async function openManifest({ source, read, flags, remoteFiles }: ManifestInput): Promise<OpenManifest> {
  const { head, errors, findings, briefs, pages } = await checked(source, read);
  if (errors > 0) throw new ManifestError(findings, { file: source.name });
  const settings = settingsOf(head, flags, briefs);
  const rows = () => withContent(pages(), remoteFiles);
  const digest = digestBriefs(settings);
  let rowCount = 0;
  for await (const page of rows()) {
    for (const { brief, contentDigest: content } of page) digest.add({ rowKey: brief.rowKey, contentDigest: content });
    rowCount += page.length;
  }
  const { name, columns, campaign } = head;
  const guessedEncoding = head.isEncodingGuessed ? head.encoding : null;
  return {
    name,
    columns,
    campaign,
    guessedEncoding,
    settings,
    briefsDigest: digest.digest(),
    rowCount,
    findings,
    rows,
  };
}

/** Up to this many rows are kept from the check, so that a command parses its sheet once. */
const rowsKept = 5_000;

async function checked(source: ManifestSource, read: ManifestOptions) {
  const kept: (readonly ManifestRow[])[] = [];
  let rows = 0;
  const check = await checkManifest(source, read, async (page) => {
    rows += page.length;
    if (rows <= rowsKept) kept.push(page);
    else kept.length = 0;
  });
  const fromMemory = async function* () {
    yield* kept;
  };
  return { ...check, pages: () => (rows <= rowsKept ? fromMemory() : readBriefs(source, read)) };
}

async function* withContent(
  pages: AsyncIterable<readonly ManifestRow[]>,
  remoteFiles: RemoteFiles,
): AsyncGenerator<readonly NewRow[], void, undefined> {
  for await (const page of pages) {
    const rows: NewRow[] = [];
    for (const row of page) rows.push(await rowWithContent(row, remoteFiles));
    yield rows;
  }
}

/** Addresses are fetched one after the other, each once: they are few, whatever the number of rows. */
async function rowWithContent({ brief, digest, cells, row }: ManifestRow, remoteFiles: RemoteFiles): Promise<NewRow> {
  if (digest !== null) return { brief, contentDigest: digest, cells, row };
  const references: BriefReference[] = [];
  for (const reference of brief.references) references.push(await withBytes(reference, remoteFiles));
  const whole = { ...brief, references };
  const content = contentDigest(whole);
  if (content === null) throw new Error(`Cannot digest row "${brief.rowKey}": a reference of it has no bytes`);
  return { brief: whole, contentDigest: content, cells, row };
}

async function withBytes(reference: BriefReference, remoteFiles: RemoteFiles): Promise<BriefReference> {
  const { source } = reference;
  if (source.kind !== 'url' || source.sha256 !== null) return reference;
  const { sha256 } = await remoteFiles.fetch(source);
  return { ...reference, source: { ...source, sha256 } };
}
