import type { InvoiceMatch } from '../../ledger/money/invoice-match.js';
import * as invoices from '../../ledger/money/invoices.js';
import type { OperationDeps } from '../deps.js';

/** An invoice of this installation's movie service. */
export type InvoiceInput = Omit<invoices.Invoice, 'service' | 'nowMs'>;

/** Compares an invoice with the books. Writes nothing. */
export function previewInvoice({ ledger, service, clock }: OperationDeps, input: InvoiceInput): Promise<InvoiceMatch> {
  return invoices.previewInvoice(ledger, { ...input, service, nowMs: clock() });
}

/** Books differences between an invoice and the books as corrections. Repeated, it books nothing more. */
export async function reconcileInvoice(
  { ledger, service, clock, workflows }: OperationDeps,
  input: InvoiceInput,
): Promise<invoices.Reconciled> {
  const reconciled = await invoices.reconcileInvoice(ledger, { ...input, service, nowMs: clock() });
  // A shared ledger's archive is where its workers are: they rewrite the certificates, at the latest when they start.
  if (ledger.dialect === 'postgres') for (const batchId of reconciled.batchIds) await workflows.startBatch(batchId);
  return reconciled;
}
