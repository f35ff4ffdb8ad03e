import { secureHeaders } from 'hono/secure-headers';
import type { Site } from '../site.js';

const halfYear = 'max-age=15552000';

/**
 * Nothing comes from elsewhere, and nothing inline is run or styled. Three defaults are changed: without a referrer
 * browsers send our own forms with `Origin: null`; a strict transport for all subdomains is not ours to promise; and
 * nobody frames the desk.
 */
export function securityHeaders({ isLoopback }: Site) {
  return secureHeaders({
    contentSecurityPolicy: {
      ...{ defaultSrc: ["'none'"], scriptSrc: ["'self'"], styleSrc: ["'self'"], imgSrc: ["'self'"] },
      ...{ fontSrc: ["'self'"], mediaSrc: ["'self'"], connectSrc: ["'self'"], formAction: ["'self'"] },
      ...{ frameAncestors: ["'none'"], baseUri: ["'none'"] },
    },
    referrerPolicy: 'same-origin',
    strictTransportSecurity: isLoopback ? false : halfYear,
    xFrameOptions: 'DENY',
  });
}
