import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { canonicalJson } from '../../domain/digests/canonical.js';
import type { Service } from '../../domain/service.js';
import { ofService } from '../batches/service-filter.js';
import { insertMany } from '../database/insert-many.js';
import type { Tables } from '../database/tables.js';
import { LedgerError, type Tx } from '../ledger.js';
import type { InvoiceLine, InvoiceQuestion } from './invoice-match.js';

/** The lines of a file that belong to one invoice. */
export interface InvoiceDocument {
  readonly number: string;
  /** The number is the invoice's own, and not the name of its file. */
  readonly numbered: boolean;
  readonly lines: readonly InvoiceLine[];
  /** Over the lines, whatever their order and wherever the file has them. */
  readonly sha256: string;
}

/** An invoice that was read before, under this number. */
export interface ReadBefore {
  readonly number: string;
  readonly readAtMs: number;
}

/** A file may hold several invoices, told apart by their numbers. */
export function documentsOf({ name, number, lines }: InvoiceQuestion): readonly InvoiceDocument[] {
  const byNumber = new Map<string, InvoiceLine[]>();
  const own = new Set<string>(number === undefined ? [] : [number]);
  for (const line of lines) {
    const key = number ?? line.invoice ?? name;
    if (line.invoice !== null) own.add(key);
    byNumber.set(key, [...(byNumber.get(key) ?? []), line]);
  }
  return [...byNumber].map(([key, of]) => ({
    number: key,
    numbered: own.has(key),
    lines: of,
    sha256: digestLines(of),
  }));
}

export function digestLines(lines: readonly Omit<InvoiceLine, 'row' | 'invoice'>[]): string {
  const texts = lines.map(({ movieId, idempotencyKey, amountMinor, currency, description }) =>
    canonicalJson([movieId, idempotencyKey, amountMinor, currency, description]),
  );
  return createHash('sha256').update(canonicalJson(texts.sort())).digest('hex');
}

/**
 * The invoice as it was read before; null where it is new. The same lines in a file of another name are the same
 * invoice, unless both have numbers of their own.
 *
 * @throws LedgerError for a number that was read with other lines.
 */
export async function findRead(
  tx: Tx,
  serviceNo: number,
  { number, numbered, sha256 }: InvoiceDocument,
): Promise<ReadBefore | null> {
  const found = await tx
    .selectFrom('invoices')
    .selectAll()
    .where('service_no', '=', serviceNo)
    .where((eb) => eb.or([eb('number', '=', number), eb('sha256', '=', sha256)]))
    .orderBy('invoice_no')
    .execute();
  const named = found.find((one) => one.number === number);
  if (named && named.sha256 !== sha256) {
    const when = new Date(named.read_ms).toISOString().slice(0, 10);
    throw new LedgerError(
      'bad_argument',
      `Cannot reconcile ${number}: an invoice of that number was read on ${when} with other lines; ` +
        'if this is another invoice, or what changed of that one, give it its own number with --number',
    );
  }
  const before = named ?? found.find((one) => !numbered || one.numbered === 0);
  return before ? { number: before.number, readAtMs: before.read_ms } : null;
}

/** Keeps an invoice for good, with its lines. */
export async function keepInvoice(
  tx: Tx,
  serviceNo: number,
  { document, by, nowMs }: { readonly document: InvoiceDocument; readonly by: string; readonly nowMs: number },
): Promise<void> {
  const { number, numbered, sha256, lines } = document;
  const { invoice_no } = await tx
    .insertInto('invoices')
    .values({
      ...{ service_no: serviceNo, number, numbered: numbered ? 1 : 0, sha256, read_ms: nowMs, read_by: by },
    })
    .returning('invoice_no')
    .executeTakeFirstOrThrow();
  await insertMany(tx, 'invoice_lines', {
    rows: lines,
    columns: [
      ['invoice_no', 'int', () => invoice_no],
      ['line', 'int', (_, index) => index + 1],
      ['service_no', 'int', () => serviceNo],
      ['movie_id', 'text', ({ movieId }) => movieId],
      ['idempotency_key', 'text', ({ idempotencyKey }) => idempotencyKey],
      ['amount_minor', 'int', ({ amountMinor }) => amountMinor],
      ['currency', 'text', ({ currency }) => currency],
      ['description', 'text', ({ description }) => description],
    ],
  });
}

/** An invoice of a service that these books have. */
export interface ReadInvoice extends ReadBefore {
  readonly by: string;
  readonly lines: number;
}

const listed = 50;

/** The newest first. */
export async function listInvoices(
  db: Kysely<Tables>,
  service: Pick<Service, 'name' | 'baseUrl'>,
): Promise<readonly ReadInvoice[]> {
  return db
    .selectFrom('invoices')
    .innerJoin('services', 'services.service_no', 'invoices.service_no')
    .where(ofService(service))
    .select(['invoices.number', 'invoices.read_ms as readAtMs', 'invoices.read_by as by'])
    .select((eb) =>
      eb
        .selectFrom('invoice_lines')
        .select((line) => line.fn.countAll<number>().as('count'))
        .whereRef('invoice_lines.invoice_no', '=', 'invoices.invoice_no')
        .$asScalar()
        .$notNull()
        .as('lines'),
    )
    .orderBy('invoices.invoice_no', 'desc')
    .limit(listed)
    .execute();
}
