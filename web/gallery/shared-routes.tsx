import { Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { refusalOf } from '../../operations/access/refusals.js';
import { review, showGallery } from '../../operations/batch/reviews.js';
import { addressOf } from '../client-address.js';
import type { DeskDeps } from '../desk-deps.js';
import type { DeskContext, DeskEnv } from '../desk-env.js';
import { seeOther } from '../desk-env.js';
import { explain } from '../errors/explain.js';
import { type Refused, refuse } from '../errors/refuse.js';
import { writtenIn } from '../guard/form-page.js';
import { readForm } from '../guard/form.js';
import { frameOf } from '../parts/frame.js';
import { type GalleryProps, SharedPage } from './gallery-page.js';
import { galleryPath, readLook } from './look.js';
import { cardAfter, film, otherNotes, pageOf, saidIn, thumbnail } from './routes.js';

const guestCookie = 'greenlight-guest';

/**
 * The gallery of a batch for whoever has its link. The link is all that they prove themselves by: it is in the address
 * of every form, which another site cannot know.
 */
export function sharedRoutes(deps: DeskDeps): Hono<DeskEnv> {
  const routes = new Hono<DeskEnv>();
  routes.use('/s/*', async (c, next) => {
    await next();
    c.header('X-Robots-Tag', 'noindex');
    if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'no-store');
  });
  routes.onError((error, c) => {
    if (refusalOf(error)?.kind !== 'forbidden') return explain(error, c);
    return refuse(c, { ...closed, written: writtenIn(c.get('form') ?? {}) });
  });
  routes.get('/s/:token', (c) => {
    const guest = getCookie(c, guestCookie) ?? '';
    return sharedPage(deps, c, { look: readLook(c.req.query()), notes: null, guest });
  });
  routes.get('/s/:token/films/:row/:asset', (c) => film(deps, c, { token: c.req.param('token') }));
  routes.get('/s/:token/films/:row/:asset/thumbnail', (c) => thumbnail(deps, c, { token: c.req.param('token') }));
  routes.post('/s/:token/reviews', async (c) => {
    const { token } = c.req.param();
    const form = await readForm(c);
    if (form === null) return refuse(c, notAForm);
    c.set('form', form);
    const guest = (form.guest ?? '').slice(0, 60);
    if (guest !== '') setCookie(c, guestCookie, guest, cookieRules(deps, token));
    const path = `/s/${token}`;
    const isOfName = form.ok === undefined && form.redo === undefined;
    if (isOfName) return seeOther(c, galleryPath(path, readLook(form)));
    const said = saidIn(form);
    const notes = await otherNotes(deps, { token }, form);
    const look = { ...readLook(form), withoutNote: said.note === '' ? said.position : null };
    const who = guest || `guest at ${addressOf(c)}`;
    if (said.note !== '') await review(deps, { ...said, viewer: { token }, guest: who });
    return notes ? sharedPage(deps, c, { look, notes, guest }) : seeOther(c, cardAfter(path, form));
  });
  return routes;
}

type Shown = Pick<GalleryProps, 'look' | 'notes' | 'guest'>;

async function sharedPage(deps: DeskDeps, c: DeskContext, shown: Shown): Promise<Response> {
  const token = c.req.param('token') ?? '';
  const gallery = await showGallery(deps, { token }, pageOf(shown.look));
  const props = { gallery, ...shown, path: `/s/${token}`, mayReview: true };
  return c.html(<SharedPage {...props} frame={guestFrame(c)} />);
}

const closed: Refused = {
  ...{ status: 404, title: 'This link is not open any more' },
  message: 'It has expired or was revoked. Ask whoever gave it to you for another one.',
};

const notAForm: Refused = {
  ...{ status: 415, title: 'A form of this page was expected' },
  message: 'Nothing was done.',
};

/** Whoever is signed in beside sees what a guest sees. */
function guestFrame(c: DeskContext) {
  return { ...frameOf(c), actor: null, formToken: '' };
}

function cookieRules({ site }: DeskDeps, token: string) {
  return { httpOnly: true, secure: !site.isLoopback, sameSite: 'Lax', path: `${site.basePath}/s/${token}` } as const;
}
