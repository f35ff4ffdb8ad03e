import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostInClear, plainHttpWords } from '../../api/plain-http.js';
import { readProxies } from '../../api/proxies.js';
import { createRoutedFetch } from '../../api/routes.js';
import type { EventReceiver, Service } from '../../conformance/service.js';
import { requireStudio } from '../../home/require-studio.js';
import { readWebhooks, WebhookSettings } from '../../home/webhook-settings.js';
import { CliError, exitCodes } from '../terminal/exit-codes.js';

export interface JudgedService {
  readonly service: Service;
  close(): Promise<void>;
}

export interface ServiceFlags {
  readonly url?: string | undefined;
  readonly key?: string | undefined;
  readonly otherKey?: string | undefined;
  readonly webhookUrl?: string | undefined;
  readonly webhookListen?: string | undefined;
}

/**
 * The service that the flags name; without a URL, a studio of its own.
 *
 * @throws CliError for flags that cannot be used.
 */
export async function openJudgedService(flags: ServiceFlags, env: NodeJS.ProcessEnv): Promise<JudgedService> {
  const { url, otherKey } = flags;
  if (url === undefined) return openStudio();
  const apiKey = flags.key ?? env.MOVIE_API_KEY;
  if (!apiKey) throw unusable('set its API key by --key or MOVIE_API_KEY');
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw unusable(`${url} is not an http or https address`);
  }
  const inClear = hostInClear(url, env.MOVIE_API_PLAIN_HTTP_HOST);
  if (inClear !== null) throw unusable(plainHttpWords(inClear));
  const routed = createRoutedFetch(readProxies(env));
  const receiver = await openReceiver(flags);
  return {
    service: {
      baseUrl: url,
      apiKey,
      ...(otherKey !== undefined && { otherKey }),
      ...(receiver && { events: receiver.events }),
      fetch: (request) => routed.fetch(request, AbortSignal.timeout(60_000)),
      sleep: (ms) => sleep(ms),
    },
    async close() {
      await receiver?.close();
      await routed.close();
    },
  };
}

/** A studio in this process, gone afterwards; its events need no network. */
async function openStudio(): Promise<JudgedService> {
  requireStudio('Cannot judge the studio');
  const { createStudio } = await import('../../studio/studio.js'); // with its packages, which may be left out
  const dataFolder = await mkdtemp(join(tmpdir(), 'greenlight-conformance-'));
  const [apiKey, otherKey] = ['key-of-this-run', 'key-of-another-account'];
  const received: string[] = [];
  const send = async (_: string, { body }: { readonly body: string }) => {
    received.push(body);
    return 204;
  };
  const studio = await createStudio({
    dataFolder,
    apiKeys: [apiKey, otherKey],
    render: 'draft',
    webhooks: { send },
  });
  return {
    service: {
      baseUrl: 'http://studio.local/v1',
      apiKey,
      otherKey,
      events: { url: 'https://events.example/hook', received },
      fetch: (request) => studio.fetch(request),
      sleep: (ms) => sleep(ms),
    },
    async close() {
      await studio.close();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

interface Receiver {
  readonly events: EventReceiver;
  close(): void;
}

async function openReceiver({ webhookUrl: url, webhookListen: listen }: ServiceFlags): Promise<Receiver | null> {
  if (url === undefined && listen === undefined) return null;
  if (url === undefined || listen === undefined) throw unusable('--webhook-url and --webhook-listen need each other');
  const settings = WebhookSettings.safeParse({ url, listen });
  if (!settings.success) {
    const [issue] = settings.error.issues;
    throw unusable(`--webhook-${String(issue?.path[0])} ${issue?.message}`);
  }
  const place = readWebhooks(settings.data)?.listen ?? undefined;
  const received: string[] = [];
  const server = createServer((request, response) => {
    text(request).then(
      (body) => {
        received.push(body);
        response.writeHead(204).end();
      },
      () => response.destroy(), // broken off: a sender repeats it
    );
  });
  server.listen(place);
  await once(server, 'listening').catch((cause: Error) => {
    throw unusable(`cannot listen at ${listen} (${cause.message})`);
  });
  return {
    events: { url, received },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function unusable(problem: string): CliError {
  return new CliError(`Cannot check the service: ${problem}`, exitCodes.usage);
}
