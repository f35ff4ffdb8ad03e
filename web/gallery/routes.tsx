import { Hono } from 'hono';
import { thumbnailPath } from '../../domain/files/thumbnail-path.js';
import { mayAct } from '../../domain/roles.js';
import { findFilm, mayReview, review, showGallery, type Viewer } from '../../operations/batch/reviews.js';
import { openLinks, share, unshare } from '../../operations/batch/share-links.js';
import { retry } from '../../operations/retries.js';
import type { DeskDeps } from '../desk-deps.js';
import { actorOf, type DeskContext, type DeskEnv, seeOther } from '../desk-env.js';
import { missingPage } from '../errors/explain.js';
import { keepAnswer } from '../errors/kept-answer.js';
import { refusalPage } from '../errors/refuse.js';
import { formPage } from '../guard/form-page.js';
import type { Form } from '../guard/form.js';
import { frameOf } from '../parts/frame.js';
import { filmAnswer } from './film-answer.js';
import { GalleryPage, type GalleryProps, moviesPerPage } from './gallery-page.js';
import { type Look, placeAfter, placeWithoutNote, readLook } from './look.js';
import { noteField, storedNote } from './movie-card.js';
import { ShareCard } from './share-card.js';

/** The gallery of a batch for people of the desk; guests come by `sharedRoutes`. */
export function galleryRoutes(deps: DeskDeps): Hono<DeskEnv> {
  const routes = new Hono<DeskEnv>();
  routes.get('/batches/:batch/gallery', (c) => galleryPage(deps, c, { look: readLook(c.req.query()), notes: null }));
  routes.get('/batches/:batch/gallery/films/:row/:asset', (c) => film(deps, c, viewerOf(c)));
  routes.get('/batches/:batch/gallery/films/:row/:asset/thumbnail', (c) => thumbnail(deps, c, viewerOf(c)));
  routes.post('/batches/:batch/gallery/reviews', async (c) => {
    const form = c.get('form');
    const said = saidIn(form);
    const path = `/batches/${c.req.param('batch')}/gallery`;
    const notes = await otherNotes(deps, viewerOf(c), form);
    const look = { ...readLook(form), withoutNote: said.note === '' ? said.position : null };
    if (said.note !== '') await review(deps, { ...said, viewer: viewerOf(c) });
    return notes ? galleryPage(deps, c, { look, notes }) : seeOther(c, cardAfter(path, form));
  });
  routes.post('/batches/:batch/shares', async (c) => {
    const days = Math.min(90, Math.max(1, Number.parseInt(c.get('form').days ?? '', 10) || 7));
    const { token } = await share(deps, { batchId: c.req.param('batch'), actor: actorOf(c), days });
    const message = `${deps.site.publicUrl}/s/${token}`;
    return (
      keepAnswer(c, { at: formPage(c), status: 200, message }) ??
      refusalPage(c, { status: 200, title: 'Give this link to who reviews', message })
    );
  });
  routes.post('/batches/:batch/shares/:link/revoke', async (c) => {
    const { batch: batchId, link: linkId } = c.req.param();
    await unshare(deps, { batchId, linkId, actor: actorOf(c) });
    return seeOther(c, `/batches/${batchId}/gallery`);
  });
  routes.post('/batches/:batch/redo', async (c) => {
    const { batchId } = await retry(deps, { batchId: c.req.param('batch'), rowKeys: 'redo', actor: actorOf(c) });
    return seeOther(c, `/batches/${batchId}`);
  });
  return routes;
}

function viewerOf(c: DeskContext) {
  return { actor: actorOf(c), batchId: c.req.param('batch') ?? '' };
}

async function galleryPage(
  deps: DeskDeps,
  c: DeskContext,
  { look, notes }: Pick<GalleryProps, 'look' | 'notes'>,
): Promise<Response> {
  const viewer = viewerOf(c);
  const { actor, batchId } = viewer;
  const gallery = await showGallery(deps, viewer, pageOf(look));
  const isReviewer = mayReview(actor, gallery.batch);
  const made = c.get('kept')?.message ?? null;
  const path = `/batches/${batchId}/gallery`;
  const props = { gallery, look, path, notes, frame: frameOf(c), mayReview: isReviewer, guest: null };
  return c.html(
    <GalleryPage {...props}>
      {isReviewer && (
        <ShareCard
          {...{ batchId, made, links: await openLinks(deps, viewer) }}
          redo={gallery.counts.redo}
          mayRetry={mayAct(actor, 'retry')}
        />
      )}
    </GalleryPage>,
  );
}

/** One more than a page shows: whether another one follows. */
export function pageOf({ filter, market, after }: Look) {
  return { filter, market, afterPosition: after ?? -1, limit: moviesPerPage + 1 };
}

/** What a form says of which card: the button that was pressed names it, as `12 spring-hero`. */
export function saidIn(form: Form) {
  const { ok = '', redo } = form;
  const [, number = '0', rowKey = ''] = /^(\d{1,9}) (.*)$/s.exec(redo ?? ok) ?? [];
  const position = Number(number);
  const note = redo === undefined ? null : (form[noteField(position)] ?? '').trim();
  const verdict = redo === undefined ? ('ok' as const) : ('redo' as const);
  return { position, rowKey, verdict, note };
}

/**
 * Notes of other movies that came along with a verdict, and are not what was said of them: they would be lost with their
 * page. Scripts keep them in the browser, and send none.
 */
export async function otherNotes(deps: DeskDeps, viewer: Viewer, form: Form): Promise<GalleryProps['notes']> {
  if (!Object.keys(form).some((name) => name.startsWith('note') && name !== noteField(saidIn(form).position)))
    return null;
  const plain = (text: string) => text.replaceAll('\r\n', '\n').trim();
  const { movies } = await showGallery(deps, viewer, pageOf(readLook(form)));
  const written = movies
    .filter(({ position }) => position !== saidIn(form).position)
    .map((movie) => [movie, plain(form[noteField(movie.position)] ?? '')] as const)
    .filter(([movie, note]) => note !== '' && note !== plain(storedNote(movie)));
  return written.length === 0 ? null : new Map(written.map(([{ position }, note]) => [position, note]));
}

/** Back to the card, on the page that shows it; with a word where a redo lacks its note. */
export function cardAfter(path: string, form: Form): string {
  const { note, position } = saidIn(form);
  if (note === '') return placeWithoutNote(path, form, position);
  return placeAfter(path, form, { position, perPage: moviesPerPage });
}

/** A file of a movie; `Range` lets a browser seek. */
export async function film(deps: DeskDeps, c: DeskContext, viewer: Viewer): Promise<Response> {
  const file = await fileOf(deps, c, viewer);
  return (file && (await filmAnswer(deps.films, file, c.req.raw))) ?? missingPage(c);
}

/** The small picture of a poster; the poster itself where the archive has none of it. */
export async function thumbnail(deps: DeskDeps, c: DeskContext, viewer: Viewer): Promise<Response> {
  const poster = await fileOf(deps, c, viewer);
  if (!poster) return missingPage(c);
  const small = { path: thumbnailPath(poster), sha256: `thumbnail-${poster.sha256}` };
  return (
    (await filmAnswer(deps.films, small, c.req.raw)) ??
    (await filmAnswer(deps.films, poster, c.req.raw)) ??
    missingPage(c)
  );
}

function fileOf(deps: DeskDeps, c: DeskContext, viewer: Viewer) {
  const { row: rowKey = '', asset: assetId = '' } = c.req.param() as Record<string, string>;
  return findFilm(deps, viewer, { rowKey, assetId });
}
