import type { MiddlewareHandler } from 'hono';
import type { DeskContext, DeskEnv } from '../desk-env.js';
import { refuse } from '../errors/refuse.js';
import { writtenIn } from './form-page.js';
import { formTokenField, isFormToken } from './form-token.js';

/** A form's fields, each once, as text. */
export type Form = Readonly<Record<string, string>>;

/** A gallery has a note of 2,000 characters for each of its 60 movies, and a character may take 9 bytes. */
const maxFormBytes = 1_280 * 1024;

/**
 * Takes nothing but a form that a page of this very session sent, and reads it. Uploads, which are read as they come,
 * check their token themselves: `exceptAt`.
 */
export function requireForm({ exceptAt }: { readonly exceptAt: readonly string[] }): MiddlewareHandler<DeskEnv> {
  return async (c, next) => {
    if (c.req.method === 'GET' || c.req.method === 'HEAD') return next();
    const { basePath } = c.get('deps').site;
    if (exceptAt.includes(c.req.path.slice(basePath.length))) {
      c.set('form', {});
      return next();
    }
    const form = await readForm(c);
    if (form === null) return refuse(c, { status: 415, title: 'A form of the desk was expected', message: unchanged });
    const { formToken } = c.get('signedIn') ?? {};
    if (formToken === undefined || !isFormToken(form[formTokenField], formToken)) return refuseToken(c, form);
    c.set('form', form);
    return next();
  };
}

const unchanged = 'Nothing was done.';

export function refuseToken(c: DeskContext, form: Form = {}): Response | Promise<Response> {
  return refuse(c, {
    written: writtenIn(form),
    ...{ status: 403, title: 'This form belongs to another sign-in' },
    message: `${unchanged} Load its page again and send it from there.`,
  });
}

/** Null for what is not a small form. */
export async function readForm(c: DeskContext): Promise<Form | null> {
  if (!/^application\/x-www-form-urlencoded\b/.test(c.req.header('content-type') ?? '')) return null;
  if (Number(c.req.header('content-length') ?? Number.POSITIVE_INFINITY) > maxFormBytes) return null;
  return Object.fromEntries(new URLSearchParams(await c.req.text()));
}
