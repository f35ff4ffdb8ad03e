import { Hono } from 'hono';
import { readRowHistory } from '../../operations/row-history.js';
import { listUnknowns, type ResolveInput, resolveUnknown } from '../../operations/unknowns.js';
import type { DeskDeps } from '../desk-deps.js';
import { actorOf, type DeskContext, type DeskEnv, seeOther } from '../desk-env.js';
import { refuseForm } from '../errors/refuse.js';
import type { Form } from '../guard/form.js';
import { frameOf } from '../parts/frame.js';
import { RowPage } from './row-page.js';

/** A row with its whole trail, and what somebody says became of an order that nobody knows the outcome of. */
export function rowRoutes(deps: DeskDeps): Hono<DeskEnv> {
  const routes = new Hono<DeskEnv>();
  routes.get('/batches/:batch/rows/:row', (c) => rowPage(deps, c));
  routes.post('/batches/:batch/rows/:row/resolve', async (c) => {
    const form = c.get('form');
    const resolution = resolutionOf(form);
    if (typeof resolution === 'string') {
      const { resolution: said = '', movie = '', evidence = '' } = form;
      return refuseForm(c, { status: 400, message: resolution, typed: { resolution: said, movie, evidence } });
    }
    const { batchId, rowKey, actor } = lookOf(c);
    const { told } = await resolveUnknown(deps, { batchId, rowKey, resolution, actor, movieApi: deps.movieApi });
    await deps.renewReports();
    return seeOther(c, `/batches/${batchId}/rows/${encodeURIComponent(rowKey)}${told ? '' : '?notified=no'}`);
  });
  return routes;
}

function lookOf(c: DeskContext) {
  return { batchId: c.req.param('batch') ?? '', rowKey: c.req.param('row') ?? '', actor: actorOf(c) };
}

async function rowPage(deps: DeskDeps, c: DeskContext): Promise<Response> {
  const look = lookOf(c);
  const history = await readRowHistory(deps, look);
  const unknowns = history.row.state === 'unknown' ? await listUnknowns(deps, look) : [];
  const proposal = unknowns.find(({ row }) => row.rowKey === look.rowKey)?.proposal ?? null;
  const props = { history, proposal, kept: c.get('kept'), isNotified: c.req.query('notified') !== 'no' };
  return c.html(<RowPage frame={frameOf(c)} {...props} />);
}

/** What the form says; a sentence where it does not say enough. */
function resolutionOf({ resolution, movie = '', evidence = '' }: Form): ResolveInput['resolution'] | string {
  switch (resolution) {
    case 'created':
      return movie.trim() === ''
        ? 'Which movie was created? Give its id, movie_…'
        : { kind: 'created', movieId: movie.trim() };
    case 'not_created':
    case 'lost':
      return evidence.trim() === ''
        ? 'How do you know? Say it, for those who read the audit.'
        : { kind: resolution, evidence: evidence.trim() };
    case 'resend':
      return { kind: 'resend' };
    default:
      return 'Say what became of the order. Nothing was changed.';
  }
}
