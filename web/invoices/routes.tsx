import { Hono } from 'hono';
import { mayAct, rolesFor } from '../../domain/roles.js';
import {
  bookInvoiceUpload,
  keepInvoiceUpload,
  listInvoices,
  previewInvoiceUpload,
} from '../../operations/money/invoice-uploads.js';
import { nextDay, startOfDay } from '../../reports/wording/day.js';
import { ApiProblem, problems } from '../api/problem.js';
import type { DeskDeps } from '../desk-deps.js';
import { actorOf, type DeskContext, type DeskEnv, seeOther } from '../desk-env.js';
import { refuse, refuseForm } from '../errors/refuse.js';
import { refuseToken } from '../guard/form.js';
import { frameOf } from '../parts/frame.js';
import { type ReceivedFile, receiveFile } from '../upload/receive-file.js';
import { InvoicePage } from './invoice-page.js';
import { InvoicesPage } from './invoices-page.js';

/** Where files are taken: its form is read as it comes, and its token with it. */
export const invoicesPath = '/invoices';

/** A provider's invoice: brought, compared with the books, and only then booked. */
export function invoiceRoutes(deps: DeskDeps): Hono<DeskEnv> {
  const routes = new Hono<DeskEnv>();
  routes.get(invoicesPath, (c) => invoicesPage(deps, c));
  routes.post(invoicesPath, async (c) => {
    if (!mayAct(actorOf(c), 'reconcile')) return notTheirs(c);
    const received = await receiveFile(c, deps);
    if (received === 'another session') return refuseToken(c);
    if (received instanceof ApiProblem)
      return refuseForm(c, { status: problems[received.problem].status, message: received.message });
    const { id } = await keepInvoiceUpload(deps, { actor: actorOf(c), ...aboutOf(received) });
    return seeOther(c, `${invoicesPath}/${id}`);
  });
  routes.get(`${invoicesPath}/:id`, (c) => invoicePage(deps, c));
  routes.post(`${invoicesPath}/:id/book`, async (c) => {
    const booked = await bookInvoiceUpload(deps, { ...lookOf(c), shown: c.get('form').shown ?? '' });
    if (booked === null) return refuseForm(c, { status: 409, message: 'The ledger changed' });
    return seeOther(c, `${invoicesPath}/${lookOf(c).id}?booked=${booked.corrections}`);
  });
  return routes;
}

function lookOf(c: DeskContext) {
  return { id: c.req.param('id') ?? '', actor: actorOf(c) };
}

function aboutOf({ path, name, text }: ReceivedFile) {
  const untilMs = startOfDay(text('until') ?? '');
  return {
    ...{ path, name, number: text('number'), fromMs: startOfDay(text('from') ?? '') },
    untilMs: untilMs === null ? null : nextDay(untilMs),
  };
}

async function invoicesPage(deps: DeskDeps, c: DeskContext): Promise<Response> {
  const invoices = await listInvoices(deps, { actor: actorOf(c) });
  return c.html(<InvoicesPage frame={frameOf(c)} invoices={invoices} problem={c.get('kept')} />);
}

async function invoicePage(deps: DeskDeps, c: DeskContext): Promise<Response> {
  const preview = await previewInvoiceUpload(deps, lookOf(c));
  const booked = c.req.query('booked');
  return c.html(<InvoicePage {...{ frame: frameOf(c), preview, booked, isOther: c.get('kept') !== undefined }} />);
}

function notTheirs(c: DeskContext): Response | Promise<Response> {
  const message = `${actorOf(c).name} does not have the ${rolesFor('reconcile').join(' or ')} role. An admin gives it.`;
  return refuse(c, { status: 403, title: 'Reading an invoice is not yours to do', message });
}
