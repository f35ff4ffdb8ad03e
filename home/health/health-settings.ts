import { z } from 'zod';
import { listenSetting } from '../listen-address.js';

/** What a fleet's own tools ask of a worker or of the desk. */
export const HealthSettings = z.strictObject({
  listen: listenSetting.optional().meta({
    env: 'GREENLIGHT_HEALTH_LISTEN',
    flag: '--health',
    description: 'where a worker or the desk serves `/livez`, `/readyz` and `/metrics` (default: nowhere)',
  }),
});
