import type { MiddlewareHandler } from 'hono';
import type { DeskEnv } from '../desk-env.js';
import type { Site } from '../site.js';

/**
 * Answers under our own name only, whatever a proxy adds: a foreign name that resolves to this machine gets nothing.
 * `X-Forwarded-Host` is not looked at.
 */
export function ownHost({ hosts, publicUrl }: Site): MiddlewareHandler<DeskEnv> {
  return async (c, next) => {
    if (hosts.includes(c.req.header('host') ?? '')) return next();
    return c.text(`Cannot answer here: the desk is at ${publicUrl}\n`, 421);
  };
}
