import { z } from 'zod';
import { defaultPolling } from '../domain/polling.js';
import { archiveProblem } from './archive/archive-url.js';
import { DeskSettings } from './desk-settings.js';
import { HealthSettings, LogSettings } from './health/health-settings.js';
import { NoticeSettings } from './notices/notice-settings.js';
import { WebhookSettings } from './webhook-settings.js';

/** A number, or the text of one in the environment. */
const aNumber = z.coerce.number({ error: 'must be a number' });
const assumption = z.enum(['charged', 'refunded']);

const movieApi = z.strictObject({
  url: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .optional()
    .meta({ env: 'MOVIE_API_URL', description: 'address of the movie service (default: the built-in studio)' }),
  key: z.string().min(1).optional().meta({ env: 'MOVIE_API_KEY', description: 'its key; better kept out of files' }),
  name: z
    .string()
    .min(1)
    .optional()
    .meta({ env: 'MOVIE_API_NAME', description: 'its name on screens and in reports (default: its host)' }),
  plainHttpHost: z.string().min(1).optional().meta({
    env: 'MOVIE_API_PLAIN_HTTP_HOST',
    description: 'the only host, other than this machine, that may get the key over plain `http`',
  }),
});

const polling = z.strictObject({
  floorMs: aNumber.int().min(10).default(defaultPolling.floorMs).meta({
    description: 'shortest time between two polls of a movie, in milliseconds',
  }),
  ceilingMs: aNumber.int().min(10).default(defaultPolling.ceilingMs).meta({
    description: 'longest time between two polls, in milliseconds',
  }),
});

const billing = z.strictObject({
  failed: assumption.default('charged').meta({
    description: 'whether the service charges a movie that fails; for a new ledger only, later `greenlight policy`',
  }),
  canceled: assumption.default('charged').meta({ description: 'the same for a movie that is canceled' }),
});

const idempotency = z.strictObject({
  mode: z.enum(['replay', 'conflict', 'none']).default('replay').meta({
    description:
      'what the service does with a repeated idempotency key; for a new ledger only, later `greenlight policy`',
  }),
  windowHours: aNumber.positive().default(24).meta({ description: 'hours for which it remembers a key' }),
});

const studio = z.strictObject({
  render: z.enum(['film', 'draft', 'stub']).default('draft').meta({
    env: 'GREENLIGHT_STUDIO_RENDER',
    flag: '--render',
    description: 'quality of the films of the built-in studio',
  }),
});

/**
 * Everything that can be set, by the names in `greenlight.config.yaml`; docs/configuration.md is generated from it.
 * Flags and environment variables fill the same keys.
 */
export const Settings = z.strictObject({
  home: z.string().min(1).optional().meta({
    env: 'GREENLIGHT_HOME',
    flag: '--home',
    description: 'data directory: ledger, built-in Temporal and studio (default: `.greenlight` here)',
  }),
  database: z
    .string()
    .regex(/^(sqlite:.|postgres(ql)?:\/\/.)/, { error: 'must begin with sqlite: or postgres://' })
    .optional()
    .meta({
      env: 'GREENLIGHT_DATABASE_URL',
      description: 'the ledger: `sqlite:<file>` or `postgres://…` (default: a file in the data directory)',
    }),
  archive: z
    .string()
    .superRefine((url, context) => {
      const problem = archiveProblem(url);
      if (problem !== null) context.addIssue({ code: 'custom', message: problem });
    })
    .optional()
    .meta({
      env: 'GREENLIGHT_ARCHIVE_URL',
      flag: '--out',
      description: 'where finished files go: `file:<folder>` or `s3://<bucket>/<prefix>` (default: `file:out`)',
    }),
  movieApi: movieApi.default({}),
  webhooks: WebhookSettings.default({}),
  desk: DeskSettings.prefault({}),
  health: HealthSettings.default({}),
  log: LogSettings.default({ form: 'text', level: 'info' }),
  notices: NoticeSettings.default({}),
  studio: studio.default({ render: 'draft' }),
  allowPrivateReferences: z.boolean().default(false).meta({
    description: 'allow references over plain http and from private networks; off because sheets come from outside',
  }),
  maxInFlight: aNumber.int().min(1).max(50_000).default(100).meta({
    env: 'GREENLIGHT_MAX_IN_FLIGHT',
    description: 'maximum movies in progress at once, over all batches',
  }),
  ordersPerSecond: aNumber.positive().max(10_000).optional().meta({
    env: 'GREENLIGHT_ORDERS_PER_SECOND',
    description: "orders placed per second over all workers, e.g. 0.5 (default: as the service's limits allow)",
  }),
  rowsPerSlice: aNumber.int().min(1).max(200).default(100).meta({ description: 'rows per workflow' }),
  polling: polling.default(defaultPolling),
  billing: billing.default({ failed: 'charged', canceled: 'charged' }),
  idempotency: idempotency.default({ mode: 'replay', windowHours: 24 }),
});
export type Settings = z.infer<typeof Settings>;

/** One value that can be set. */
export interface Setting {
  /** E.g. `movieApi.url`. */
  readonly key: string;
  readonly description: string;
  readonly env: string | null;
  readonly flag: string | null;
  readonly default: unknown;
  readonly choices: readonly string[];
}

/** Why a value cannot be used for a setting, e.g. `must be a number`; null if it can. */
export function settingProblem(key: string, value: string): string | null {
  const given = key.split('.').reduceRight<unknown>((below, name) => ({ [name]: below }), value);
  const { error } = Settings.safeParse(given);
  return error?.issues.find(({ path }) => path.join('.') === key)?.message ?? null;
}

interface SettingSchema {
  readonly properties?: Readonly<Record<string, SettingSchema>>;
  readonly description?: string;
  readonly env?: string;
  readonly flag?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
}

/** Every setting in the schema, in order. */
export function eachSetting(): readonly Setting[] {
  return [...settingsIn(z.toJSONSchema(Settings, { io: 'input', unrepresentable: 'any' }) as SettingSchema, '')];
}

function* settingsIn({ properties = {} }: SettingSchema, prefix: string): Generator<Setting> {
  for (const [name, schema] of Object.entries(properties)) {
    const key = prefix + name;
    if (schema.properties) yield* settingsIn(schema, `${key}.`);
    else {
      const { description = '', env = null, flag = null, enum: choices = [] } = schema;
      yield { key, description, env, flag, default: schema.default, choices };
    }
  }
}
