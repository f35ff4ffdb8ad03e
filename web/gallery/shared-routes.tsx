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
import { readForm, writtenIn } from '../guard/form.js';
import { frameOf } from '../parts/frame.js';
import { SharedPage } from './gallery-page.js';
import { galleryPath, placeWithoutNote, readLook } from './look.js';
import { cardAfter, film, pageOf, saidIn, thumbnail } from './routes.js';

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
  routes.get('/s/:token', (c) => sharedPage(deps, c));
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
    if (said.note === '') return seeOther(c, placeWithoutNote(path, form, said.position));
    await review(deps, { ...said, viewer: { token }, guest: guest || `guest at ${addressOf(c)}` });
    return seeOther(c, cardAfter(path, form));
  });
  return routes;
}

async function sharedPage(deps: DeskDeps, c: DeskContext): Promise<Response> {
  const token = c.req.param('token') ?? '';
  const look = readLook(c.req.query());
  const gallery = await showGallery(deps, { token }, pageOf(look));
  const props = { gallery, look, guest: getCookie(c, guestCookie) ?? '', path: `/s/${token}`, mayReview: true };
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
