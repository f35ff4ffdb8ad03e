import type { ApiRoute } from './api-route.js';
import { batchRoutes } from './routes/batches.js';
import { cancelAndRetryRoutes } from './routes/cancel-and-retry.js';
import { limitRoutes } from './routes/limits.js';
import { planRoutes } from './routes/plan.js';
import { resultRoutes } from './routes/results.js';
import { stopRoutes } from './routes/stops.js';
import { submitRoutes } from './routes/submit.js';
import { whoamiRoutes } from './routes/whoami.js';

/** All of it, in the order of its document. */
export const routes: readonly ApiRoute[] = [
  ...submitRoutes,
  ...batchRoutes,
  ...planRoutes,
  ...stopRoutes,
  ...limitRoutes,
  ...cancelAndRetryRoutes,
  ...resultRoutes,
  ...whoamiRoutes,
];
