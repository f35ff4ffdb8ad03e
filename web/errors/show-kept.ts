import type { MiddlewareHandler } from 'hono';
import type { DeskEnv } from '../desk-env.js';
import { pathIn } from '../guard/form-page.js';
import { takeAnswer } from './kept-answer.js';
import { refusalPage } from './refuse.js';

/** Shows once, at an address that can be loaded again, what a form was answered. */
export function showKept(): MiddlewareHandler<DeskEnv> {
  return async (c, next) => {
    const isLook = c.req.method === 'GET' && ['document', undefined].includes(c.req.header('sec-fetch-dest'));
    const kept = isLook ? takeAnswer(c, pathIn(c.req.url, c.get('deps').site)) : null;
    if (kept === null) return next();
    const { status, title, message, next: goOn, written, requestId } = kept;
    c.header('Cache-Control', 'no-store');
    if (title !== undefined) {
      c.set('requestId', requestId);
      return refusalPage(c, { status, title, message, ...(goOn && { next: goOn }), ...(written && { written }) });
    }
    c.set('kept', kept);
    await next();
    if (c.res.status === 200) c.res = new Response(c.res.body, { status, headers: c.res.headers });
  };
}
