import { randomInt } from 'node:crypto';
import { Hono } from 'hono';
import { actionRoutes } from './actions/routes.js';
import { createApi } from './api/create-api.js';
import { assetRoutes } from './assets/routes.js';
import { auditRoutes } from './audit/routes.js';
import { batchRoutes } from './batch/routes.js';
import { batchesRoutes } from './batches/routes.js';
import { budgetRoutes } from './budgets/routes.js';
import { certificateRoutes } from './certificate/routes.js';
import type { DeskDeps } from './desk-deps.js';
import type { DeskEnv } from './desk-env.js';
import { explain, missingPage } from './errors/explain.js';
import { showKept } from './errors/show-kept.js';
import { galleryRoutes } from './gallery/routes.js';
import { sharedRoutes } from './gallery/shared-routes.js';
import { refuseForged } from './guard/forged-requests.js';
import { requireForm } from './guard/form.js';
import { ownHost } from './guard/own-host.js';
import { securityHeaders } from './guard/security-headers.js';
import { readSession, requireSignIn } from './guard/session.js';
import { healthRoutes } from './health/routes.js';
import { invoiceRoutes, invoicesPath } from './invoices/routes.js';
import { liveRoutes } from './live/routes.js';
import { printStyleRoutes } from './plan/print-style.js';
import { planRoutes } from './plan/routes.js';
import { rowRoutes } from './row/routes.js';
import { signInRoutes, signOutRoutes } from './sign-in/routes.js';
import { uploadPath, uploadRoutes } from './upload/routes.js';

/**
 * The whole desk under its base path. What stands above `requireSignIn` is open to everybody or has a guard of its own;
 * all below it is for people who are signed in, and takes no form but their own.
 */
export function createDesk(deps: DeskDeps): Hono<DeskEnv> {
  const { site } = deps;
  const desk = new Hono<DeskEnv>({ strict: false }).basePath(site.basePath);
  desk.use(async (c, next) => {
    c.set('deps', deps);
    c.set('requestId', newRequestId());
    await next();
  });
  desk.use(securityHeaders(site));
  desk.use(ownHost(site));
  desk.route('/', assetRoutes());
  desk.route('/api/v1', createApi({ ...deps, onError: deps.onFault }));

  desk.use(refuseForged(site));
  desk.use(readSession(deps));
  desk.use(showKept());
  desk.route('/', signInRoutes(deps));
  desk.route('/', sharedRoutes(deps));

  desk.use(requireSignIn(deps));
  desk.use(requireForm({ exceptAt: [uploadPath, invoicesPath] }));
  desk.route('/', signOutRoutes(deps));
  desk.route('/', batchesRoutes(deps));
  desk.route('/', budgetRoutes(deps));
  desk.route('/', auditRoutes(deps));
  desk.route('/', invoiceRoutes(deps));
  desk.route('/', healthRoutes(deps));
  desk.route('/', galleryRoutes(deps));
  desk.route('/', certificateRoutes(deps));
  desk.route('/', liveRoutes(deps));
  desk.route('/', batchRoutes(deps));
  desk.route('/', planRoutes(deps));
  desk.route('/', actionRoutes(deps));
  desk.route('/', rowRoutes(deps));
  desk.route('/', printStyleRoutes(deps));
  desk.route('/', uploadRoutes(deps));
  desk.notFound(missingPage);
  desk.onError((error, c) => explain(error, c));
  return desk;
}

const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** As `7Q2K-04`: short enough to be read out. */
function newRequestId(): string {
  const drawn = Array.from({ length: 6 }, () => letters[randomInt(letters.length)]).join('');
  return `${drawn.slice(0, 4)}-${drawn.slice(4)}`;
}
