import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

/** The address that a connection comes from; behind a proxy it is the proxy's. */
export function addressOf(c: Context): string {
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>;
  return incoming?.socket.remoteAddress ?? 'unknown address';
}
