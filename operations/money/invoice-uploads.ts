import { readFile, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { digestOf } from '../../domain/digests/canonical.js';
import type { Actor } from '../../domain/roles.js';
import { type InvoiceFile, readInvoice } from '../../invoices/read-invoice.js';
import { assertMay } from '../../ledger/access/sight.js';
import { LedgerError } from '../../ledger/ledger-error.js';
import { listInvoices as list, type ReadInvoice } from '../../ledger/money/invoice-documents.js';
import type { InvoiceMatch } from '../../ledger/money/invoice-match.js';
import { fileSource } from '../../sheets/sheet-source.js';
import type { OperationDeps } from '../deps.js';
import { removeStaleUploads } from '../upload/stale-uploads.js';
import { type InvoiceInput, previewInvoice, reconcileInvoice } from './invoices.js';

export type { ReadInvoice } from '../../ledger/money/invoice-documents.js';

/** What invoices uploaded by a browser need besides the ledger. */
export interface InvoiceDeps extends OperationDeps {
  readonly uploadsFolder: string;
  /** Rewrites reports and certificates if their archive is on this machine; elsewhere workers do it. */
  readonly renewReports: () => Promise<void>;
}

const Record = z.object({
  name: z.string(),
  by: z.string(),
  /** For all lines; null: as in the file. */
  number: z.string().nullable(),
  /** The movies that it should list: those accepted in this period. */
  fromMs: z.number().nullable(),
  untilMs: z.number().nullable(),
});

/** An uploaded invoice, and how to read it. */
export type InvoiceUpload = z.output<typeof Record> & { readonly id: string; readonly path: string };

export interface NewInvoice extends Omit<z.output<typeof Record>, 'by'> {
  readonly actor: Actor;
  /** Where the file is, in a folder of its own. */
  readonly path: string;
}

/** Keeps the file of an invoice without matching or booking anything. @throws LedgerError without the role. */
export async function keepInvoiceUpload(
  deps: InvoiceDeps,
  { actor, path, ...about }: NewInvoice,
): Promise<{ readonly id: string }> {
  await assertMay(deps.ledger.db, actor, { act: 'reconcile', words: `read ${about.name}` });
  await removeStaleUploads(deps, Date.now());
  const id = basename(dirname(path));
  const file = recordFile(deps, id);
  await writeFile(`${file}.new`, JSON.stringify({ ...about, by: actor.name }), { mode: 0o600 });
  await rename(`${file}.new`, file);
  return { id };
}

export interface InvoiceLook {
  readonly id: string;
  readonly actor: Actor;
}

export interface InvoicePreview {
  readonly upload: InvoiceUpload;
  readonly file: InvoiceFile;
  readonly match: InvoiceMatch;
  /** A digest of the differences that the person saw, for the booking. */
  readonly shown: string;
}

/**
 * Compares an uploaded invoice with the books. Writes nothing.
 *
 * @throws LedgerError `not_allowed` without the role, `unknown_upload` for one that does not exist, and for impossible
 * lines; InvoiceError with what is wrong in the file.
 */
export async function previewInvoiceUpload(deps: InvoiceDeps, look: InvoiceLook): Promise<InvoicePreview> {
  const upload = await findInvoice(deps, look);
  const file = await readInvoice(await fileSource(upload.path, upload.name));
  const match = await previewInvoice(deps, inputOf(upload, { file, actor: look.actor }));
  return { upload, file, match, shown: digestOf(match.different) };
}

/**
 * Books the differences that the person has seen. Repeated, it books nothing more.
 *
 * @returns null when the differences have changed: nothing was written.
 */
export async function bookInvoiceUpload(
  deps: InvoiceDeps,
  { shown, ...look }: InvoiceLook & { readonly shown: string },
): Promise<{ readonly corrections: number } | null> {
  const { upload, file, match, shown: now } = await previewInvoiceUpload(deps, look);
  if (shown !== now) return null;
  const input = { ...inputOf(upload, { file, actor: look.actor }), accepted: match.different };
  await reconcileInvoice(deps, input);
  await deps.renewReports();
  return { corrections: match.different.length };
}

/** Invoices read so far for this installation's service, newest first. */
export async function listInvoices(
  { ledger, service }: OperationDeps,
  { actor }: { readonly actor: Actor },
): Promise<readonly ReadInvoice[]> {
  await assertMay(ledger.db, actor, { act: 'see_all', words: 'show the invoices' });
  return list(ledger.db, service);
}

async function findInvoice(deps: InvoiceDeps, { id, actor }: InvoiceLook): Promise<InvoiceUpload> {
  await assertMay(deps.ledger.db, actor, { act: 'reconcile', words: 'show an invoice' });
  const record = /^[0-9a-f-]{36}$/.test(id)
    ? await readFile(recordFile(deps, id), 'utf8').then(
        (text) => Record.parse(JSON.parse(text)),
        () => null,
      )
    : null;
  if (record === null) throw new LedgerError('unknown_upload', 'Cannot find this invoice: it is no longer here');
  return { ...record, id, path: join(deps.uploadsFolder, id, record.name) };
}

function inputOf(
  { name, number, fromMs, untilMs }: InvoiceUpload,
  { file, actor }: { readonly file: InvoiceFile; readonly actor: Actor },
): InvoiceInput {
  return {
    ...{ name, lines: file.lines, actor },
    ...(number !== null && { number }),
    ...(fromMs !== null && { fromMs }),
    ...(untilMs !== null && { untilMs }),
  };
}

function recordFile({ uploadsFolder }: Pick<InvoiceDeps, 'uploadsFolder'>, id: string): string {
  return join(uploadsFolder, `${id}.invoice.json`);
}
