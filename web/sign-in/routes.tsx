import { Hono } from 'hono';
import { signInByCode, signOut } from '../../operations/access/sessions.js';
import { addressOf } from '../client-address.js';
import type { DeskDeps } from '../desk-deps.js';
import { type DeskContext, type DeskEnv, seeOther } from '../desk-env.js';
import { refuse, refuseForm } from '../errors/refuse.js';
import { type Form, readForm } from '../guard/form.js';
import { dropSession, keepSession, sessionIdOf } from '../guard/session.js';
import { createTries } from '../guard/tries.js';
import { frameOf } from '../parts/frame.js';
import { companyRoutes } from './company-routes.js';
import { pathOf } from './path-of.js';
import { SignInPage } from './sign-in-page.js';

/** A code has 60 bits, so that these tries find none; they keep guessing from filling the books. */
const limits = { perAddress: 10, overAll: 60 };

/** Open to everybody: how somebody comes in. */
export function signInRoutes(deps: DeskDeps): Hono<DeskEnv> {
  const tries = createTries(limits);
  const routes = new Hono<DeskEnv>();
  routes.get('/sign-in', (c) => {
    const { code, to, again } = c.req.query();
    const isAgain = again === 'yes';
    if (c.get('signedIn') && !isAgain) return seeOther(c, '/');
    const company = Boolean(deps.company);
    const isRefused = c.get('kept') !== undefined;
    return c.html(<SignInPage {...{ frame: frameOf(c), code, to: pathOf(to), company, isAgain, isRefused }} />);
  });
  routes.post('/sign-in', async (c) => {
    const form = await readForm(c);
    const waitS = tries.wait(addressOf(c), deps.clock());
    if (waitS > 0) return tooMany(c, waitS);
    const session = form && (await signInByCode(deps, { code: form.code ?? '', from: addressOf(c) }));
    if (!session) {
      tries.failed(addressOf(c), deps.clock());
      return refuseForm(c, { at: signInPath(c, form), status: 401, message: 'This code is not valid' });
    }
    const former = sessionIdOf(c, deps.site);
    if (former !== undefined) await signOut(deps, former);
    keepSession(c, deps.site, { id: session.id, maxAgeS: Math.floor((session.untilMs - deps.clock()) / 1_000) });
    return seeOther(c, pathOf(form.to));
  });
  if (deps.company) routes.route('/', companyRoutes(deps, deps.company));
  return routes;
}

/** The page again that the form is of, without the code. */
function signInPath(c: DeskContext, form: Form | null): string {
  const { searchParams } = new URL(c.req.header('referer') ?? '/', 'http://desk');
  const fields = new URLSearchParams({ to: pathOf(form?.to) });
  if (searchParams.get('again') === 'yes') fields.set('again', 'yes');
  return `/sign-in?${fields}`;
}

/** For whoever is signed in. */
export function signOutRoutes(deps: DeskDeps): Hono<DeskEnv> {
  return new Hono<DeskEnv>().post('/sign-out', async (c) => {
    const id = sessionIdOf(c, deps.site);
    if (id !== undefined) await signOut(deps, id);
    dropSession(c, deps.site);
    c.header('Clear-Site-Data', '"cache"');
    return seeOther(c, '/sign-in');
  });
}

function tooMany(c: DeskContext, waitS: number) {
  c.header('Retry-After', String(waitS));
  return refuse(c, {
    ...{ status: 429, title: 'Too many tries' },
    message: `Wait ${waitS} s, then try again with a code that is not used yet.`,
    next: { path: '/sign-in', text: 'Sign in' },
  });
}
