import { Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { z } from 'zod';
import { signInByCompany, signOut } from '../../operations/access/sessions.js';
import type { DeskDeps } from '../desk-deps.js';
import { type DeskContext, type DeskEnv, seeOther } from '../desk-env.js';
import { type Refused, refuse } from '../errors/refuse.js';
import { cookieRules } from '../guard/cookie.js';
import { keepSession, sessionIdOf } from '../guard/session.js';
import { type Arrived, type CompanySettings, createCompany, type Departure } from './company.js';
import { pathOf } from './path-of.js';

const Kept = z.strictObject({
  ...{ verifier: z.string(), state: z.string(), nonce: z.string(), to: z.string(), maxAgeS: z.number() },
});
const departureS = 600;
const startAgain = { path: '/sign-in', text: 'Sign in' };

/** Leaving for a company's provider and coming back. */
export function companyRoutes(deps: DeskDeps, settings: CompanySettings): Hono<DeskEnv> {
  const { site } = deps;
  const company = createCompany(settings, `${site.publicUrl}/sign-in/company/back`);
  const cookie = site.isLoopback ? 'greenlight-company' : '__Host-greenlight-company';
  const rules = cookieRules(site);
  const routes = new Hono<DeskEnv>();
  routes.get('/sign-in/company', async (c) => {
    try {
      const { to, again } = c.req.query();
      const { url, departure } = await company.depart({ to: pathOf(to), isAgain: again === 'yes' });
      setCookie(c, cookie, JSON.stringify(departure), { ...rules, maxAge: departureS });
      return c.redirect(url, 303);
    } catch (error) {
      deps.onFault(error, c.get('requestId'));
      return refuse(c, away);
    }
  });
  routes.get('/sign-in/company/back', async (c) => {
    const departure = departureOf(getCookie(c, cookie));
    deleteCookie(c, cookie, rules);
    if (!departure) return refuse(c, tooLate);
    const identity = await company.arrive(new URL(c.req.url).searchParams, departure).catch(() => undefined);
    if (identity === undefined) return refuse(c, notProved);
    if (identity === null) return refuse(c, notVerified);
    return enter(c, { identity, issuer: settings.issuer, to: departure.to });
  });
  return routes;
}

interface Entering {
  readonly identity: Arrived;
  readonly issuer: string;
  readonly to: string;
}

async function enter(c: DeskContext, { identity, issuer, to }: Entering): Promise<Response> {
  const deps = c.get('deps');
  const session = await signInByCompany(deps, { issuer, ...identity });
  if (!session) return refuse(c, stranger(identity.email));
  const former = sessionIdOf(c, deps.site);
  if (former !== undefined) await signOut(deps, former);
  keepSession(c, deps.site, { id: session.id, maxAgeS: Math.floor((session.untilMs - deps.clock()) / 1_000) });
  return seeOther(c, pathOf(to));
}

function departureOf(text: string | undefined): Departure | null {
  try {
    return Kept.parse(JSON.parse(text ?? ''));
  } catch {
    return null;
  }
}

const away: Refused = {
  ...{ status: 503, title: 'Your company’s sign-in does not answer' },
  message: 'Try again in a moment, or sign in by a code that an admin gives you.',
  next: startAgain,
};
const tooLate: Refused = {
  ...{ status: 400, title: 'This sign-in began somewhere else' },
  message: 'It took longer than 10 minutes, or it began in another browser. Nothing was done.',
  next: startAgain,
};
const notProved: Refused = {
  ...{ status: 401, title: 'Your company did not vouch for you' },
  message: 'The answer of its sign-in is not one to the question that was asked, or it was used before.',
  next: startAgain,
};
const notVerified: Refused = {
  ...{ status: 403, title: 'Your e-mail address is not verified' },
  message: 'Your company’s sign-in has not verified it. Ask whoever runs that, or sign in by a code.',
  next: startAgain,
};

function stranger(email: string): Refused {
  return {
    ...{ status: 403, title: 'Nobody is registered by this address' },
    message: `An admin registers you: greenlight people add ${email} --role submitter`,
    next: startAgain,
  };
}
