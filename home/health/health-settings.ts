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

/** What a worker says of what it does. */
export const LogSettings = z.strictObject({
  form: z.enum(['text', 'json', 'quiet']).default('text').meta({
    env: 'GREENLIGHT_LOG',
    flag: '--log',
    description: 'how a worker says what happens: lines to read, a JSON document a line, or nothing',
  }),
  level: z.enum(['debug', 'info', 'warn', 'error']).default('info').meta({
    env: 'GREENLIGHT_LOG_LEVEL',
    description: 'the lowest level that a JSON log has',
  }),
});
export type LogSettings = z.infer<typeof LogSettings>;
