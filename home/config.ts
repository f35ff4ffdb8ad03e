import { join, resolve } from 'node:path';
import { type ClientConnectConfig, loadClientConnectConfig } from '@temporalio/envconfig';
import { hostInClear, plainHttpWords } from '../api/plain-http.js';
import { type Proxies, readProxies } from '../api/proxies.js';
import { absoluteUrl } from './absolute-url.js';
import { archiveUrl } from './archive/archive-url.js';
import { ConfigError } from './config-error.js';
import { type DeskConfig, readDesk } from './desk-settings.js';
import type { LogSettings } from './health/health-settings.js';
import { type ListenAddress, parseListen } from './listen-address.js';
import { type NoticesConfig, readNotices } from './notices/notice-settings.js';
import { readSettings, type SettingFlags } from './read-settings.js';
import type { Settings } from './settings.js';
import { proxyToTemporal, type TemporalProxy } from './temporal/way-to-temporal.js';
import { readWebhooks, type WebhooksConfig } from './webhook-settings.js';

export { ConfigError } from './config-error.js';

export interface TemporalConfig {
  readonly address: string;
  readonly namespace: string;
  /** TLS, API key and headers from the profile or the environment. */
  readonly credentials?: Omit<ClientConnectConfig['connectionOptions'], 'address'>;
  /** Null: a direct connection. */
  readonly proxy: TemporalProxy | null;
}

export interface Config extends Pick<
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
  /** Null: the service is polled only, or is the home's own studio, whose events need no settings. */
  readonly webhooks: WebhooksConfig | null;
  readonly desk: DeskConfig;
  /** Who gets notices of approvals, stops and ends. */
  readonly notices: NoticesConfig;
  /** Where `/livez`, `/readyz` and `/metrics` are served; null: nowhere. */
  readonly health: ListenAddress | null;
  readonly log: LogSettings;
  /** Null: the embedded server. */
  readonly temporal: TemporalConfig | null;
  /** Proxies for the movie service, its files and remote references. */
  readonly proxies: Proxies;
  /** Whether errors include stack traces. */
  readonly debug: boolean;
}

export interface ConfigSource {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Settings from the command line; they win over everything else. */
  readonly flags?: SettingFlags;
}

/**
 * The one reader of configuration: flags over environment over `greenlight.config.yaml` over defaults.
 *
 * @throws ConfigError naming the setting and where it was read.
 */
export async function readConfig({ env: given, cwd, flags = {} }: ConfigSource): Promise<Config> {
  const env = withoutEmpty(given);
  return finish(await readSettings({ env, cwd, flags }), { env, cwd });
}

/** `NAME=` in a shell means "not set". */
function withoutEmpty(env: ConfigSource['env']): ConfigSource['env'] {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
}

function finish(settings: Settings, { env, cwd }: ConfigSource): Config {
  const { studio, allowPrivateReferences, maxInFlight, rowsPerSlice, polling, billing, idempotency } = settings;
  const home = resolve(cwd, settings.home ?? '.greenlight');
  const movieApi = movieService(settings);
  const proxies = proxiesOf(env);
  return {
    home,
    databaseUrl: absoluteUrl('sqlite:', settings.database ?? `sqlite:${join(home, 'ledger.db')}`, cwd),
    archiveUrl: archiveUrl(settings.archive ?? 'file:out', cwd),
    movieApi,
    webhooks: movieApi && readWebhooks(settings.webhooks),
    desk: readDesk(settings.desk),
    log: settings.log,
    notices: readNotices(settings.notices),
    health: settings.health.listen === undefined ? null : parseListen(settings.health.listen),
    temporal: temporalService(env, proxies),
    proxies,
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

/** Where the ledger is, to show: without the name and password that its address may hold. */
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
function temporalService(env: ConfigSource['env'], proxies: Proxies): TemporalConfig | null {
  const set = Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const { connectionOptions, namespace } = loadClientConnectConfig({ overrideEnvVars: set });
  const { address, ...credentials } = connectionOptions;
  if (!address) return null;
  const proxy = proxyToTemporal(address, proxies);
  return { address, namespace: namespace ?? 'default', credentials, proxy };
}
