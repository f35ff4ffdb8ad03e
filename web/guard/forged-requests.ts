import type { MiddlewareHandler } from 'hono';
import type { DeskEnv } from '../desk-env.js';
import { refuse } from '../errors/refuse.js';
import type { Site } from '../site.js';

/**
 * Refuses whatever another page made a browser send. A browser says where a request comes from by `Sec-Fetch-Site` or
 * `Origin`, mostly by both, and neither may say another place; a request without both comes from no browser, and has to
 * bring a token instead of a cookie. Another port of the same host is `same-site`, which is not us.
 */
export function refuseForged({ origins }: Site): MiddlewareHandler<DeskEnv> {
  return async (c, next) => {
    if (c.req.method === 'GET' || c.req.method === 'HEAD') return next();
    const place = c.req.header('sec-fetch-site');
    const origin = c.req.header('origin');
    const isForeign = origin !== undefined && !origins.includes(origin);
    const isOurs = place === undefined ? origin !== undefined : place === 'same-origin';
    if (isOurs && !isForeign) return next();
    return refuse(c, {
      ...{ status: 403, title: 'This form was not sent from the desk' },
      message: 'Nothing was done. Open the page at the desk itself and send its form from there.',
    });
  };
}
