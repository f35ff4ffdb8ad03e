import { z } from 'zod';
import { listenSetting } from '../listen-address.js';

/** What a fleet's tools query of a worker or of the desk. */
export const HealthSettings = z.strictObject({
  listen: listenSetting.optional().meta({
    env: 'GREENLIGHT_HEALTH_LISTEN',
    flag: '--health',
    description: 'where a worker or the desk serves `/livez`, `/readyz` and `/metrics` (default: nowhere)',
  }),
});

/** How a worker logs. */
export const LogSettings = z.strictObject({
  form: z.enum(['text', 'json', 'quiet']).default('text').meta({
    env: 'GREENLIGHT_LOG',
    flag: '--log',
    description: 'how a worker logs: lines for people, one JSON document per line, or nothing',
  }),
  level: z.enum(['debug', 'info', 'warn', 'error']).default('info').meta({
    env: 'GREENLIGHT_LOG_LEVEL',
    description: 'lowest level in a JSON log',
  }),
});
export type LogSettings = z.infer<typeof LogSettings>;
