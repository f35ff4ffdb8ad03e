import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type ClientConnectConfig, loadClientConnectConfig } from '@temporalio/envconfig';
import { parse } from 'yaml';
import { z } from 'zod';
import { hostInClear, plainHttpWords } from '../api/plain-http.js';
import { type Proxies, readProxies } from '../api/proxies.js';
import { defaultPolling } from '../domain/polling.js';
import { absoluteUrl } from './absolute-url.js';
import { archiveProblem, archiveUrl } from './archive-url.js';
import { ConfigError } from './config-error.js';
import { type DeskConfig, DeskSettings, readDesk } from './desk-settings.js';
import { readWebhooks, WebhookSettings, type WebhooksConfig } from './webhook-settings.js';

export { ConfigError } from './config-error.js';

/** As a number, or as the text of one in the environment. */
const aNumber = z.coerce.number({ error: 'must be a number' });
const assumption = z.enum(['charged', 'refunded']);

/** Everything that can be set, by the names of `greenlight.config.yaml`. Flags and environment fill the same keys. */
const Settings = z.strictObject({
  /** Folder of the embedded parts' state. Two homes never meet. */
  home: z.string().min(1).optional(),
  database: z
    .string()
    .regex(/^(sqlite:.|postgres(ql)?:\/\/.)/, { error: 'must begin with sqlite: or postgres://' })
    .optional(),
  archive: z
    .string()
    .superRefine((url, context) => {
      const problem = archiveProblem(url);
      if (problem !== null) context.addIssue({ code: 'custom', message: problem });
    })
    .optional(),
  movieApi: z
    .strictObject({
      url: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
      key: z.string().min(1).optional(),
      name: z.string().min(1).optional(),
      /** The one host to which the key may be sent in clear, by plain http. */
      plainHttpHost: z.string().min(1).optional(),
    })
    .default({}),
  /** Events of the service. For the service that `movieApi` names: the home's own studio needs no setting. */
  webhooks: WebhookSettings.default({}),
  /** The page for people in their browsers. */
  desk: DeskSettings.default({}),
  studio: z.strictObject({ render: z.enum(['film', 'draft', 'stub']).default('draft') }).default({ render: 'draft' }),
  /** References by plain http and from private networks; off, since a sheet comes from outside. */
  allowPrivateReferences: z.boolean().default(false),
  maxInFlight: aNumber.int().min(1).max(10_000).default(100),
  /** Over all workers and batches; the service's own limits are kept without it. */
  ordersPerSecond: aNumber.positive().max(10_000).optional(),
  rowsPerSlice: aNumber.int().min(1).max(200).default(100),
  polling: z
    .strictObject({
      floorMs: aNumber.int().min(10).default(defaultPolling.floorMs),
      ceilingMs: aNumber.int().min(10).default(defaultPolling.ceilingMs),
    })
    .default(defaultPolling),
  /** What the service is assumed to charge for a movie that ends so; seeds an empty embedded ledger only. */
  billing: z
    .strictObject({ failed: assumption.default('charged'), canceled: assumption.default('charged') })
    .default({ failed: 'charged', canceled: 'charged' }),
  /** What the service does with a repeated key; seeds an empty embedded ledger only. */
  idempotency: z
    .strictObject({
      mode: z.enum(['replay', 'conflict', 'none']).default('replay'),
      windowHours: aNumber.positive().default(24),
    })
    .default({ mode: 'replay', windowHours: 24 }),
});
type Settings = z.infer<typeof Settings>;

export interface TemporalConfig {
  readonly address: string;
  readonly namespace: string;
  /** TLS, API key and headers, as the profile or the environment gives them. */
  readonly credentials?: Omit<ClientConnectConfig['connectionOptions'], 'address'>;
}

export interface Config
  extends Pick<
    Settings,
    'studio' | 'allowPrivateReferences' | 'maxInFlight' | 'rowsPerSlice' | 'polling' | 'billing' | 'idempotency'
  > {
  /** Null: as many as the limits in flight allow. */
  readonly ordersPerSecond: number | null;
  readonly home: string;
  readonly databaseUrl: string;
  readonly archiveUrl: string;
  /** Null: the home's own studio. */
  readonly movieApi: { readonly url: string; readonly key: string; readonly name: string } | null;
  /** Null: the service is polled only, or is the home's own studio, whose events are received without being set up. */
  readonly webhooks: WebhooksConfig | null;
  readonly desk: DeskConfig;
  /** Null: the embedded server. */
  readonly temporal: TemporalConfig | null;
  /** By which the movie service, its files and remote references are reached. */
  readonly proxies: Proxies;
  /** Whether errors are to say where in the code they come from. */
  readonly debug: boolean;
}

export interface ConfigSource {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** What the command line says; wins over everything else. */
  readonly flags?: {
    readonly home?: string;
    readonly database?: string;
    readonly out?: string;
    readonly render?: string;
  };
}

/**
 * The one reader of configuration: flags over environment over `greenlight.config.yaml` over defaults.
 *
 * @throws ConfigError naming the setting and where it was read.
 */
export async function readConfig({ env: given, cwd, flags = {} }: ConfigSource): Promise<Config> {
  const env = withoutEmpty(given);
  const file = await readSettingsFile(join(cwd, 'greenlight.config.yaml'));
  const merged = mergeSettings(file, {
    home: flags.home ?? env.GREENLIGHT_HOME,
    database: flags.database ?? env.GREENLIGHT_DATABASE_URL,
    archive: flags.out === undefined ? env.GREENLIGHT_ARCHIVE_URL : `file:${flags.out}`,
    movieApi: {
      url: env.MOVIE_API_URL,
      key: env.MOVIE_API_KEY,
      name: env.MOVIE_API_NAME,
      plainHttpHost: env.MOVIE_API_PLAIN_HTTP_HOST,
    },
    webhooks: {
      url: env.GREENLIGHT_WEBHOOK_URL,
      listen: env.GREENLIGHT_WEBHOOK_LISTEN,
      secret: env.GREENLIGHT_WEBHOOK_SECRET,
    },
    desk: { url: env.GREENLIGHT_DESK_URL, listen: env.GREENLIGHT_DESK_LISTEN },
    studio: { render: flags.render ?? env.GREENLIGHT_STUDIO_RENDER },
    maxInFlight: env.GREENLIGHT_MAX_IN_FLIGHT,
    ordersPerSecond: env.GREENLIGHT_ORDERS_PER_SECOND,
  });
  const parsed = Settings.safeParse(merged);
  if (!parsed.success) throw new ConfigError(describe(parsed.error));
  return finish(parsed.data, { env, cwd });
}

/** `NAME=` in a shell means "not set". */
function withoutEmpty(env: ConfigSource['env']): ConfigSource['env'] {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
}

function finish(settings: Settings, { env, cwd }: ConfigSource): Config {
  const { studio, allowPrivateReferences, maxInFlight, rowsPerSlice, polling, billing, idempotency } = settings;
  const home = resolve(cwd, settings.home ?? '.greenlight');
  const movieApi = movieService(settings);
  return {
    home,
    databaseUrl: absoluteUrl('sqlite:', settings.database ?? `sqlite:${join(home, 'ledger.db')}`, cwd),
    archiveUrl: archiveUrl(settings.archive ?? 'file:out', cwd),
    movieApi,
    webhooks: movieApi && readWebhooks(settings.webhooks),
    desk: readDesk(settings.desk),
    temporal: temporalService(env),
    proxies: proxiesOf(env),
    debug: env.GREENLIGHT_DEBUG !== undefined,
    studio,
    allowPrivateReferences,
    maxInFlight,
    rowsPerSlice,
    ordersPerSecond: settings.ordersPerSecond ?? null,
    polling,
    billing,
    idempotency,
  };
}

/** For people: where the ledger is, without the name and password that its address may hold. */
export function databaseName(databaseUrl: string): string {
  if (databaseUrl.startsWith('sqlite:')) return databaseUrl.slice('sqlite:'.length);
  const { host, pathname } = new URL(databaseUrl);
  return `PostgreSQL at ${host}${pathname}`;
}

function movieService({ movieApi, home, database }: Settings): Config['movieApi'] {
  const { url, key, name, plainHttpHost } = movieApi;
  if (url === undefined) return null;
  if (key === undefined) {
    throw new ConfigError('Cannot use MOVIE_API_URL: MOVIE_API_KEY is not set; set it to the key of that service');
  }
  if (home === undefined && database === undefined) {
    throw new ConfigError(
      'Cannot use MOVIE_API_URL: neither GREENLIGHT_HOME nor GREENLIGHT_DATABASE_URL is set; name the ledger to record real money in',
    );
  }
  const inClear = hostInClear(url, plainHttpHost);
  if (inClear !== null) throw new ConfigError(`Cannot use MOVIE_API_URL: ${plainHttpWords(inClear)}`);
  const clean = url.replace(/\/+$/, '');
  return { url: clean, key, name: name ?? new URL(clean).host };
}

function proxiesOf(env: ConfigSource['env']): Proxies {
  try {
    return readProxies(env);
  } catch (error) {
    throw new ConfigError((error as Error).message, { cause: error });
  }
}

/** A Temporal profile or address that the user set for Temporal's own tools counts here too. */
function temporalService(env: ConfigSource['env']): TemporalConfig | null {
  const set = Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const { connectionOptions, namespace } = loadClientConnectConfig({ overrideEnvVars: set });
  const { address, ...credentials } = connectionOptions;
  if (!address) return null;
  return { address, namespace: namespace ?? 'default', credentials };
}

async function readSettingsFile(path: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new ConfigError(`Cannot read ${path}: ${(error as Error).message}`, { cause: error });
  }
  try {
    return parse(text) ?? {};
  } catch (error) {
    throw new ConfigError(`Cannot read ${path}: ${(error as Error).message.split('\n')[0]}`, { cause: error });
  }
}

function mergeSettings(file: unknown, over: Record<string, unknown>): Record<string, unknown> {
  if (typeof file !== 'object' || file === null || Array.isArray(file)) {
    throw new ConfigError('Cannot use greenlight.config.yaml: it must be a map of settings');
  }
  const merged: Record<string, unknown> = { ...file };
  for (const [key, value] of Object.entries(over)) {
    if (value === undefined) continue;
    if (typeof value !== 'object' || value === null) merged[key] = value;
    else {
      const given = Object.entries(value).filter(([, part]) => part !== undefined);
      if (given.length > 0) merged[key] = { ...(merged[key] as object | undefined), ...Object.fromEntries(given) };
    }
  }
  return merged;
}

function describe(error: z.ZodError): string {
  const problems = error.issues.map(({ path, message }) => `${path.join('.') || 'settings'}: ${message}`);
  return `Cannot use the configuration: ${problems.join('; ')}`;
}
