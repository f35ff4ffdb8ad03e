import process from 'node:process';
import type { OperationDeps } from '../operations/deps.js';
import { serveWebhooks, type WebhookServer, type WebhookServerOptions } from '../web/webhooks/serve-webhooks.js';
import type { Config } from './config.js';
import { supervise } from './embedded.js';
import { freePort } from './free-port.js';
import { openParts, type PartName } from './services.js';
import { webhookSecret } from './studio-process.js';
import type { WebhooksConfig } from './webhook-settings.js';

export interface Webhooks {
  /** The callback address for new orders; null when nobody listens. */
  readonly url: string | null;
  close(): Promise<void>;
}

type Deps = Pick<OperationDeps, 'ledger' | 'clock' | 'workflows'>;

/**
 * Receives the service's events: at the configured address, or, from the home's own studio, at one port of this machine
 * that the home keeps.
 *
 * @throws Error when it cannot listen there.
 */
export function openWebhooks(config: Config, deps: Deps): Promise<Webhooks> {
  return config.movieApi ? ofService(config, deps) : ofOwnStudio(config.home, deps);
}

async function ofService({ home, webhooks }: Config, deps: Deps): Promise<Webhooks> {
  const place = webhooks && placeOf(webhooks);
  if (!place) return { url: webhooks?.url ?? null, close: async () => undefined };
  const { close } = await shareListening({ home, name: 'webhooks', place }, deps).catch((cause) => {
    const problem = `Cannot receive events at ${place.host}:${place.port}: ${(cause as Error).message}`;
    throw Object.assign(new Error(`${problem}; change GREENLIGHT_WEBHOOK_LISTEN`, { cause }), { code: cause.code });
  });
  return { url: webhooks.url, close };
}

function placeOf({ url, listen, secrets }: WebhooksConfig): WebhookServerOptions | null {
  return listen && { ...listen, path: new URL(url).pathname, secrets };
}

async function ofOwnStudio(home: string, deps: Deps): Promise<Webhooks> {
  const place = { host: '127.0.0.1', port: 0, path: '/webhooks', secrets: [await webhookSecret(home)] };
  const { port, close } = await shareListening({ home, name: 'studio webhooks', place }, deps);
  return { url: `http://${place.host}:${port}${place.path}`, close };
}

interface Listening {
  readonly home: string;
  readonly name: PartName;
  /** Port 0: the one that the home had before, or another if that is taken. */
  readonly place: WebhookServerOptions;
}

/**
 * One worker of the home listens for all, since they share its ledger and its Temporal. When it ends, another running
 * one takes over its port.
 */
async function shareListening(
  { home, name, place }: Listening,
  deps: Deps,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const parts = await openParts(home);
  let server: WebhookServer | null = null;

  const ensure = (options: { readonly elsewhere: boolean }): Promise<number> =>
    parts.exclusively(async (ofHome) => {
      const known = ofHome.find(name);
      const wanted = place.port || (known?.part.port ?? (await freePort()));
      try {
        server = await serveWebhooks({ ...place, port: wanted }, deps);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
        if (known?.alive && known.part.port === wanted) return wanted; // another worker of this home
        if (!options.elsewhere) throw error;
        server = await serveWebhooks({ ...place, port: await freePort() }, deps);
      }
      ofHome.record({ name, pid: process.pid, port: server.port });
      return server.port;
    });

  try {
    const port = await ensure({ elsewhere: place.port === 0 });
    // Orders name the port that was found first; nobody would send to another.
    const stopSupervising = supervise(parts, [name], () => ensure({ elsewhere: false }));
    return {
      port,
      async close() {
        await stopSupervising();
        if (server) await parts.exclusively(async (ofHome) => ofHome.release(name));
        await server?.close();
        parts.close();
      },
    };
  } catch (error) {
    parts.close();
    throw error;
  }
}
