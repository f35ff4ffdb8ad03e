import type { Site } from '../site.js';

/** `__Host-` cookies need https; at plain http on this machine the port is in the name, since cookies know none. */
export function cookieName({ isLoopback, publicUrl }: Site, name = 'greenlight'): string {
  return isLoopback ? `${name}-${new URL(publicUrl).port || '80'}` : `__Host-${name}`;
}

/** Path `/` also under a base path: `__Host-` cookies have no other. */
export function cookieRules({ isLoopback }: Site) {
  return { httpOnly: true, secure: !isLoopback, sameSite: 'Lax', path: '/' } as const;
}
