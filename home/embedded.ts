import { setTimeout as sleep } from 'node:timers/promises';
import { accepts, stopInBackground } from './background-process.js';
import type { Config } from './config.js';
import { freePort } from './free-port.js';
import { openParts, type PartName, type Parts, type PartsOfHome } from './services.js';
import { startStudioProcess } from './studio-process.js';
import { startTemporalServer } from './temporal/temporal-server.js';

/** The parts of a home that this process keeps alive. Null where the configuration names a service of its own. */
export interface Embedded {
  readonly temporalAddress: string | null;
  readonly studioUrl: string | null;
  /** Signs off; the last one to leave stops the parts. */
  leave(): Promise<void>;
}

export interface EmbeddedOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A line for people about what is being started. */
  readonly say: (line: string) => void;
}

type StartPart = (port: number) => Promise<number>;

const superviseEveryMs = 1_000;

/**
 * Starts what the configuration leaves to the home itself (Temporal, the studio), or joins what another command of
 * this home has started. A part that dies while we are here is started again, on the same port.
 *
 * @throws Error when a part cannot be started.
 */
export async function joinEmbedded(config: Config, { env, say }: EmbeddedOptions): Promise<Embedded> {
  const parts = await openParts(config.home);
  const wanted = wantedParts(config, { env, say });
  const ensureAll = () =>
    parts.exclusively(async (home) => {
      home.join(process.pid);
      for (const [name, start] of wanted) await ensure(home, name, start);
    });
  try {
    await ensureAll();
  } catch (error) {
    await leave(parts, wanted.keys());
    throw error;
  }
  const stopSupervising = supervise(parts, [...wanted.keys()], ensureAll);
  return {
    temporalAddress: addressOf(parts, 'temporal', wanted),
    studioUrl: wanted.has('studio') ? studioUrl(parts) : null,
    async leave() {
      await stopSupervising();
      await leave(parts, wanted.keys());
    },
  };
}

/** Where the home's running studio answers, or null. */
export function studioUrl(parts: Pick<Parts, 'running'>): string | null {
  const part = parts.running('studio');
  return part ? `http://127.0.0.1:${part.port}/v1` : null;
}

function addressOf(parts: Parts, name: PartName, wanted: ReadonlyMap<PartName, StartPart>): string | null {
  const part = wanted.has(name) ? parts.running(name) : null;
  return part ? `127.0.0.1:${part.port}` : null;
}

function wantedParts(config: Config, { env, say }: EmbeddedOptions): ReadonlyMap<PartName, StartPart> {
  const { home } = config;
  const wanted = new Map<PartName, StartPart>();
  if (!config.temporal) wanted.set('temporal', (port) => startTemporalServer({ home, port, env, say }));
  if (!config.movieApi) {
    wanted.set('studio', (port) => startStudioProcess({ home, port, render: config.studio.render, env }));
  }
  return wanted;
}

async function ensure(home: PartsOfHome, name: PartName, start: StartPart): Promise<void> {
  const known = home.find(name);
  if (known?.alive) {
    if (await accepts(known.part.port)) return;
    await stopInBackground(known.part.pid); // alive and deaf
  }
  const port = await freePort(known?.part.port);
  const pid = await start(port);
  home.record({ name, pid, port });
}

/** Calls `ensureAll` whenever one of these parts has lost its process, until the returned function is called. */
export function supervise(
  parts: Pick<Parts, 'running'>,
  names: readonly PartName[],
  ensureAll: () => Promise<unknown>,
): () => Promise<void> {
  const stop = new AbortController();
  const watching = (async () => {
    while (!stop.signal.aborted) {
      await sleep(superviseEveryMs, undefined, { signal: stop.signal }).catch(() => undefined);
      if (stop.signal.aborted) return;
      // What cannot be started now is tried again in a second; meanwhile workers and clients wait for it.
      if (names.some((name) => parts.running(name) === null)) await ensureAll().catch(() => undefined);
    }
  })();
  return async () => {
    stop.abort();
    await watching;
  };
}

async function leave(parts: Parts, names: Iterable<PartName>): Promise<void> {
  await parts.exclusively(async (home) => {
    if (home.leave(process.pid) > 0) return;
    await Promise.all(
      [...names].map(async (name) => {
        const known = home.find(name);
        if (known?.alive) await stopInBackground(known.part.pid);
        // The port stays known, so that clients of the next start find the part where it was.
      }),
    );
  });
  parts.close();
}
