import { bareName } from '../sheets/bare-name.js';
import { columnLetter } from '../sheets/column.js';
import { nearestOf } from '../sheets/edit-distance.js';
import type { Place, Trouble } from '../sheets/findings/finding.js';

/** What an invoice says about each of its lines. */
export const invoiceFields = ['movie_id', 'idempotency_key', 'amount', 'currency', 'description', 'invoice'] as const;
export type InvoiceField = (typeof invoiceFields)[number];

/** Each field's own name first, then what accounting programs call it. */
const names: Readonly<Record<InvoiceField, readonly string[]>> = {
  movie_id: ['movie_id', 'movie', 'job_id', 'job', 'resource_id', 'external_id'],
  idempotency_key: ['idempotency_key', 'key', 'client_reference', 'reference', 'order_key'],
  amount: ['amount', 'total', 'net_amount', 'line_total', 'charge', 'cost', 'price'],
  currency: ['currency', 'currency_code', 'iso_currency'],
  description: ['description', 'text', 'details', 'item', 'product'],
  invoice: ['invoice_number', 'invoice', 'invoice_no', 'invoice_id', 'credit_note', 'credit_note_number'],
};

const fieldByName: ReadonlyMap<string, InvoiceField> = new Map(
  invoiceFields.flatMap((field) => names[field].map((name) => [bareName(name), field] as const)),
);

/** How many cells of a row are names of invoice columns. */
export function invoiceNamesIn(cells: readonly string[]): number {
  return new Set(cells.flatMap((cell) => fieldByName.get(bareName(cell)) ?? [])).size;
}

/** Whether a row names enough to be the header. */
export function isInvoiceHeader(cells: readonly string[]): boolean {
  const fields = new Set(cells.map((cell) => fieldByName.get(bareName(cell))));
  return fields.has('amount') && (fields.has('movie_id') || fields.has('idempotency_key'));
}

/** Which cell of a row is which field. */
export type InvoiceColumns = Readonly<Partial<Record<InvoiceField, number>>>;

interface Named {
  readonly columns: InvoiceColumns;
  readonly troubles: readonly { readonly at: Pick<Place, 'column' | 'field'>; readonly trouble: Trouble }[];
}

/** Reads a header row. Columns with other names are the provider's own, and skipped. */
export function nameInvoiceColumns(header: readonly string[]): Named {
  const columns: Partial<Record<InvoiceField, number>> = {};
  const troubles: Named['troubles'][number][] = [];
  for (const [index, cell] of header.entries()) {
    const field = fieldByName.get(bareName(cell));
    if (!field) continue;
    const before = columns[field];
    if (before === undefined) {
      columns[field] = index;
      continue;
    }
    const message = `"${header[before]}" (column ${columnLetter(before)}) and "${cell}" are both ${field}; rename one`;
    const at = { column: columnLetter(index), field };
    troubles.push({ at, trouble: { severity: 'error', code: 'duplicate_field', message } });
  }
  const lacking: readonly (InvoiceField | null)[] = [
    columns.movie_id === undefined && columns.idempotency_key === undefined ? 'movie_id' : null,
    columns.amount === undefined ? 'amount' : null,
  ];
  for (const field of lacking)
    if (field) troubles.push({ at: { column: null, field }, trouble: missing(field, header) });
  return { columns, troubles };
}

function missing(field: InvoiceField, header: readonly string[]): Trouble {
  const near = header.find((cell) => nearestOf(bareName(cell), names[field].map(bareName)) !== null);
  const meant = near === undefined ? '' : `; did you mean it by "${near}"?`;
  const either = field === 'movie_id' ? ' and no column idempotency_key' : '';
  const message = `there is no column ${field}${either}${meant || `; name one ${field}`}`;
  return { severity: 'error', code: 'missing_column', message };
}
