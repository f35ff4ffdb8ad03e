import { type Context, Hono } from 'hono';
import { retryable } from '../../domain/row-class.js';
import { listRowLines, readBatch } from '../../operations/batches.js';
import { cancel, previewCancel } from '../../operations/cancels.js';
import { refetch, retry } from '../../operations/retries.js';
import { goOn, pause, resume } from '../../operations/stops.js';
import type { DeskDeps } from '../desk-deps.js';
import { actorOf, type DeskContext, type DeskEnv, seeOther } from '../desk-env.js';
import { refuseForm } from '../errors/refuse.js';
import { frameOf } from '../parts/frame.js';
import { toBatch } from '../parts/notices.js';
import { mayDo } from './action-bar.js';
import { CancelPage, fingerprint } from './cancel-page.js';
import { RetryPage } from './retry-page.js';
import { readSelection, type Selection } from './selection.js';
import { StopPage, stopActs } from './stop-page.js';

/** What an operator does to a batch. Each act is a page that says what it would do, and a form. */
export function actionRoutes(deps: DeskDeps): Hono<DeskEnv> {
  const routes = new Hono<DeskEnv>();
  const run = { pause, resume, continue: goOn } as const;
  for (const act of stopActs) {
    routes.get(`/batches/:batch/${act}`, async (c) => {
      const status = await readBatch(deps, lookOf(c));
      return c.html(<StopPage frame={frameOf(c)} act={act} status={status} />);
    });
    routes.post(`/batches/:batch/${act}`, async (c) => {
      const reason = (c.get('form').reason ?? '').trim();
      const done = await run[act](deps, { ...lookOf(c), ...(reason !== '' && { reason }) });
      return toBatch(c, lookOf(c).batchId, done);
    });
  }
  routes.get('/batches/:batch/cancel', (c) => cancelPage(deps, c));
  routes.post('/batches/:batch/cancel', (c) => cancelRows(deps, c));
  for (const act of ['retry', 'refetch'] as const) {
    routes.get(`/batches/:batch/${act}`, (c) => retryPage(deps, c, act));
    routes.post(`/batches/:batch/${act}`, (c) => (act === 'retry' ? retryRows(deps, c) : refetchRows(deps, c)));
  }
  return routes;
}

function lookOf(c: Context<DeskEnv>) {
  return { batchId: c.req.param('batch') ?? '', actor: actorOf(c) };
}

async function cancelPage(deps: DeskDeps, c: DeskContext): Promise<Response> {
  const selection = await readSelection(deps, c, { fields: c.req.query(), among: null });
  const preview = await previewCancel(deps, { ...lookOf(c), rowKeys: selection.rowKeys });
  return c.html(<CancelPage frame={frameOf(c)} {...{ selection, preview, kept: c.get('kept') }} />);
}

/** The look at an act again, at the same rows, with why nothing was done. */
function lookAgain(
  c: DeskContext,
  { act, fields, message }: { readonly act: string; readonly fields: Selection['fields']; readonly message: string },
) {
  const reason = (c.get('form').reason ?? '').trim();
  const at = `/batches/${lookOf(c).batchId}/${act}?${new URLSearchParams(fields)}`.replace(/\?$/, '');
  return refuseForm(c, { at, status: 409, message, ...(reason !== '' && { typed: { reason } }) });
}

/** What was shown is what is acted on; where it is another picture by now, that is shown first. */
async function cancelRows(deps: DeskDeps, c: DeskContext): Promise<Response> {
  const form = c.get('form');
  const reason = (form.reason ?? '').trim();
  const { rowKeys, fields } = await readSelection(deps, c, { fields: form, among: null });
  const again = (message: string) => lookAgain(c, { act: 'cancel', fields, message });
  if (reason === '') return again('A cancel needs a reason. Nothing was canceled.');
  const now = fingerprint(await previewCancel(deps, { ...lookOf(c), rowKeys }));
  const { batch } = await readBatch(deps, lookOf(c));
  // Who may not is refused by the act, which writes it to the audit.
  if (form.shown !== now && mayDo(actorOf(c), 'cancel', batch)) {
    return again('It has changed since you looked. Nothing was canceled; this is its present state.');
  }
  return toBatch(c, lookOf(c).batchId, await cancel(deps, { ...lookOf(c), rowKeys, reason }));
}

async function retryPage(deps: DeskDeps, c: DeskContext, act: 'retry' | 'refetch'): Promise<Response> {
  const states = act === 'retry' ? retryable : (['lost'] as const);
  const look = lookOf(c);
  const selection = await readSelection(deps, c, { fields: c.req.query(), among: states });
  const { batch } = await readBatch(deps, look);
  const found = await listRowLines(deps, { ...look, states, limit: mostRows });
  const { rowKeys } = selection;
  const rows = rowKeys === 'all' ? found : found.filter(({ rowKey }) => rowKeys.includes(rowKey));
  const props = { act, batch, selection, rows, kept: c.get('kept') };
  return c.html(<RetryPage frame={frameOf(c)} {...props} />);
}

const mostRows = 5_000;

async function chosen(deps: DeskDeps, c: DeskContext, states: readonly (typeof retryable)[number][]) {
  const form = c.get('form');
  const { rowKeys, fields } = await readSelection(deps, c, { fields: form, among: states });
  const found = await listRowLines(deps, { ...lookOf(c), states, limit: mostRows });
  const count = rowKeys === 'all' ? found.length : rowKeys.length;
  return { rowKeys, fields, isAsShown: form.shown === String(count) };
}

const message = 'Other rows are meant by now than when you looked. Nothing was done; this is how it is now.';

/** A batch of its own, with its own price and approval. */
async function retryRows(deps: DeskDeps, c: DeskContext): Promise<Response> {
  const { rowKeys, fields, isAsShown } = await chosen(deps, c, retryable);
  if (!isAsShown) return lookAgain(c, { act: 'retry', fields, message });
  const { batchId, told } = await retry(deps, { ...lookOf(c), rowKeys });
  return seeOther(c, `/batches/${batchId}${told ? '' : '?notified=no'}`);
}

async function refetchRows(deps: DeskDeps, c: DeskContext): Promise<Response> {
  const { rowKeys, fields, isAsShown } = await chosen(deps, c, ['lost']);
  if (!isAsShown) return lookAgain(c, { act: 'refetch', fields, message });
  return toBatch(c, lookOf(c).batchId, await refetch(deps, { ...lookOf(c), rowKeys }));
}
