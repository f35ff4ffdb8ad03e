import { Readable } from 'node:stream';
import { Hono } from 'hono';
import { mayAct, rolesFor } from '../../domain/roles.js';
import { checkUpload, findUpload, keepUpload } from '../../operations/upload/manifest-uploads.js';
import { sampleSheet } from '../../operations/upload/sample-sheet.js';
import {
  repairedUpload,
  submitUpload,
  type TakenFile,
  uploadedRows,
  uploadWithFindings,
} from '../../operations/upload/upload-sheet.js';
import { ApiProblem, problems } from '../api/problem.js';
import type { DeskDeps } from '../desk-deps.js';
import { actorOf, type DeskContext, type DeskEnv, seeOther } from '../desk-env.js';
import { explain } from '../errors/explain.js';
import { refuse, refuseForm } from '../errors/refuse.js';
import { refuseToken } from '../guard/form.js';
import { frameOf } from '../parts/frame.js';
import { receiveFile } from './receive-file.js';
import { readSheetFilter, rowsWithFindings } from './sheet-filter.js';
import { SheetPage } from './sheet-page.js';
import { UploadPage } from './upload-page.js';

/** Where files are taken: its form is read as it comes, and its token with it. */
export const uploadPath = '/uploads';
const rowsPerPage = 100;

/** A sheet brought by a browser: what is wrong in it by its cells, and its way to a price. */
export function uploadRoutes(deps: DeskDeps): Hono<DeskEnv> {
  const routes = new Hono<DeskEnv>();
  routes.get('/upload', async (c) => {
    if (!mayAct(actorOf(c), 'submit')) return notTheirs(c);
    const id = c.req.query('again');
    const again = id === undefined ? null : await findUpload(deps, { id, actor: actorOf(c) });
    return c.html(<UploadPage frame={frameOf(c)} again={again} problem={c.get('kept')} />);
  });
  routes.post(uploadPath, async (c) => {
    if (!mayAct(actorOf(c), 'submit')) return notTheirs(c);
    const received = await receiveFile(c, deps);
    if (received === 'another session') return refuseToken(c);
    if (received instanceof ApiProblem)
      return refuseForm(c, { status: problems[received.problem].status, message: received.message });
    const { path, name, text } = received;
    const about = { campaign: text('campaign'), budget: text('budget'), again: text('again') };
    const { id } = await keepUpload(deps, { actor: actorOf(c), path, name, ...about });
    return seeOther(c, `/uploads/${id}`);
  });
  routes.get('/upload/sample/:kind', async (c) => {
    if (!mayAct(actorOf(c), 'submit')) return notTheirs(c);
    const kind = c.req.param('kind') === 'sample.xlsx' ? 'xlsx' : 'csv';
    return taken(c, { name: `sample.${kind}`, bytes: Readable.from([await sampleSheet(kind)]) });
  });
  routes.get('/uploads/:id', (c) => sheetPage(deps, c));
  routes.get('/uploads/:id/repaired', async (c) => taken(c, await repairedUpload(deps, lookOf(c))));
  routes.get('/uploads/:id/findings', async (c) => taken(c, await uploadWithFindings(deps, lookOf(c))));
  routes.post('/uploads/:id/submit', (c) => submit(deps, c));
  routes.onError((error, c) => explain(error, c, { path: '/upload', text: 'Upload another sheet' }));
  return routes;
}

function lookOf(c: DeskContext) {
  return { id: c.req.param('id') ?? '', actor: actorOf(c) };
}

async function sheetPage(deps: DeskDeps, c: DeskContext): Promise<Response> {
  const checked = await checkUpload(deps, lookOf(c));
  const filter = readSheetFilter(c.req.query(), checked.check);
  const marked = rowsWithFindings(checked.check.findings);
  const shown = marked.slice(filter.skip, filter.skip + rowsPerPage);
  const isAll = filter.show === 'all';
  const page = { only: isAll ? null : new Set(shown), skip: isAll ? filter.skip : 0, limit: rowsPerPage };
  const rows = checked.check.head === null ? [] : await uploadedRows(deps, lookOf(c), page);
  const inOrder = isAll ? rows : [...rows].sort((one, other) => shown.indexOf(one.row) - shown.indexOf(other.row));
  const props = { checked, filter, rows: inOrder, marked: marked.length, rowsPerPage, kept: c.get('kept') };
  return c.html(<SheetPage frame={frameOf(c)} {...props} />);
}

async function submit(deps: DeskDeps, c: DeskContext): Promise<Response> {
  const { respend, beside } = c.get('form');
  const submitted = await submitUpload(deps, {
    ...lookOf(c),
    ...{ remoteFiles: deps.remoteFiles, otherBatch: beside === 'yes' ? 'beside' : 'in the way' },
    flags: { respend: respend === 'yes' },
  });
  if (submitted.kind === 'in the way') {
    const { batchId: inTheWay } = submitted.batch;
    const message = `${inTheWay} is open. Nothing was submitted.`;
    return refuseForm(c, { status: 409, message, typed: { inTheWay, ...(respend && { respend }) } });
  }
  return seeOther(c, `/batches/${submitted.batchId}${submitted.told ? '' : '?notified=no'}`);
}

function notTheirs(c: DeskContext): Response | Promise<Response> {
  const { name } = actorOf(c);
  const message = `${name} does not have the ${rolesFor('submit').join(' or ')} role. An admin gives it.`;
  return refuse(c, { status: 403, title: 'Bringing a sheet is not yours to do', message });
}

function taken(c: DeskContext, { name, bytes }: TakenFile): Response {
  const ascii = name.replace(/[^\w.-]/g, '_');
  return c.body(Readable.toWeb(Readable.from(bytes)) as ReadableStream, 200, {
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(name)}`,
  });
}
