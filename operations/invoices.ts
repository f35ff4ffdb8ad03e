import type { InvoiceMatch } from '../ledger/money/invoice-match.js';
import * as invoices from '../ledger/money/invoices.js';
import type { OperationDeps } from './deps.js';

/** An invoice of this installation's movie service. */
export type InvoiceInput = Omit<invoices.Invoice, 'service' | 'nowMs'>;

/** How an invoice compares with the books. Writes nothing. */
export function previewInvoice({ ledger, service, clock }: OperationDeps, input: InvoiceInput): Promise<InvoiceMatch> {
  return invoices.previewInvoice(ledger, { ...input, service, nowMs: clock() });
}

/** Books what an invoice charges more or less than the books say, as corrections. Repeated, it books nothing more. */
export function reconcileInvoice(
  { ledger, service, clock }: OperationDeps,
  input: InvoiceInput,
): Promise<InvoiceMatch> {
  return invoices.reconcileInvoice(ledger, { ...input, service, nowMs: clock() });
}
