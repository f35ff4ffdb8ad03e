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
import { readForm } from '../guard/form.js';
import { frameOf } from '../parts/frame.js';
import { SharedPage } from './gallery-page.js';
import { film, filterOf, pageOf, placeAfter, reviewOf, thumbnail } from './routes.js';

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
  routes.onError((error, c) => (refusalOf(error)?.kind === 'forbidden' ? refuse(c, closed) : explain(error, c)));
  routes.get('/s/:token', async (c) => {
    const { token } = c.req.param();
    const filter = filterOf(c.req.query('show'));
    const gallery = await showGallery(deps, { token }, { filter, ...pageOf(c) });
    const guest = getCookie(c, guestCookie) ?? '';
    const path = `/s/${token}`;
    return c.html(<SharedPage {...{ gallery, filter, path, frame: guestFrame(c), mayReview: true, guest }} />);
  });
  routes.get('/s/:token/films/:row/:asset', (c) => film(deps, c, { token: c.req.param('token') }));
  routes.get('/s/:token/films/:row/:asset/thumbnail', (c) => thumbnail(deps, c, { token: c.req.param('token') }));
  routes.post('/s/:token/reviews', async (c) => {
    const { token } = c.req.param();
    const form = await readForm(c);
    if (form === null) return refuse(c, notAForm);
    const guest = (form.guest ?? '').slice(0, 60);
    await review(deps, { ...reviewOf(form), viewer: { token }, guest: guest || `guest at ${addressOf(c)}` });
    if (guest !== '') setCookie(c, guestCookie, guest, cookieRules(deps, token));
    return seeOther(c, placeAfter(`/s/${token}`, form));
  });
  return routes;
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
