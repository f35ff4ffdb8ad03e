import type { MiddlewareHandler } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { personBehind } from '../../operations/access/sessions.js';
import type { DeskDeps } from '../desk-deps.js';
import type { DeskContext, DeskEnv } from '../desk-env.js';
import { refuse } from '../errors/refuse.js';
import type { Site } from '../site.js';
import { cookieName, cookieRules } from './cookie.js';
import { pageOfForm, pathIn, writtenIn } from './form-page.js';
import { formTokenOf } from './form-token.js';
import { readForm } from './form.js';

/** Who is behind a request: the books are asked each time, so that whoever was removed is out at once. */
export function readSession(deps: DeskDeps): MiddlewareHandler<DeskEnv> {
  return async (c, next) => {
    const id = sessionIdOf(c, deps.site);
    const session = id === undefined ? null : await personBehind(deps, id);
    // A session of whoever works alone came from a code of this machine's terminal; it is good on this machine only.
    const isGood = session !== null && (!session.actor.alone || deps.site.isLoopback);
    c.set('signedIn', isGood && id !== undefined ? { ...session, formToken: formTokenOf(id) } : null);
    await next();
    if (isGood && !c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'no-store');
  };
}

/**
 * Sends whoever is not signed in to the sign-in page, and back from there to what they wanted to see, or to the page of
 * the form that they sent. What they wrote in it is shown to them first.
 */
export function requireSignIn({ site }: DeskDeps): MiddlewareHandler<DeskEnv> {
  return async (c, next) => {
    if (c.get('signedIn')) return next();
    const wanted =
      c.req.method === 'GET' ? pathIn(c.req.url, site) : pageOfForm(pathIn(c.req.header('referer') ?? '', site));
    const path = wanted === '/' || wanted === '' ? '/sign-in' : `/sign-in?to=${encodeURIComponent(wanted)}`;
    const written = c.req.method === 'POST' ? writtenIn((await readForm(c)) ?? {}) : [];
    if (written.length === 0) return c.redirect(site.basePath + path, 303);
    return refuse(c, {
      ...{ status: 401, title: 'You are not signed in any more', written },
      message: 'Nothing was done. Keep what you wrote, sign in, and send it again.',
      next: { path, text: 'Sign in' },
    });
  };
}

export function sessionIdOf(c: DeskContext, site: Site): string | undefined {
  return getCookie(c, cookieName(site));
}

export function keepSession(c: DeskContext, site: Site, { id, maxAgeS }: { id: string; maxAgeS: number }): void {
  setCookie(c, cookieName(site), id, { ...cookieRules(site), maxAge: maxAgeS });
}

export function dropSession(c: DeskContext, site: Site): void {
  deleteCookie(c, cookieName(site), cookieRules(site));
}
