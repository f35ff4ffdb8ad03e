import { setTimeout as sleep } from 'node:timers/promises';
import { startTimeOf } from '../processes/start-time.js';
import { accepts, stopInBackground } from './background-process.js';
import type { Config } from './config.js';
import { freePort, samePort } from './free-port.js';
import { findHolders } from './holders.js';
import { refuseOwnStudio } from './refuse-own-studio.js';
import { openParts, type Part, type PartName, type Parts, type PartsOfHome } from './services.js';
import { startStudioProcess } from './studio-process.js';
import { hasNamespace, startTemporalServer } from './temporal/temporal-server.js';

/** The parts of a home that this process keeps alive. Null if the configuration names an external service. */
export interface Embedded {
  readonly temporalAddress: string | null;
  readonly studioUrl: string | null;
  /** Leaves; the last process to leave stops the parts. */
  leave(): Promise<void>;
}

export interface EmbeddedOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Prints a line about what is being started. */
  readonly say: (line: string) => void;
  /** The command line that starts this program: the home's studio is a process of the same program. */
  readonly program: readonly string[];
  /** Default: all that the configuration leaves to the home. */
  readonly parts?: readonly PartName[];
}

interface WantedPart {
  start(port: number, record: (pid: number) => void): Promise<number>;
  ready(port: number): Promise<boolean>;
}

const superviseEveryMs = 1_000;
/** A part that another process has just started gets this long to answer. */
const answerPatienceMs = 15_000;

/**
 * Starts what the configuration leaves to the home itself (Temporal, the studio), or joins what another command of
 * this home has started. A part that dies while this process runs is started again, on the same port.
 *
 * @throws ConfigError when a shared ledger cannot use a part of the home; Error when a part cannot be started.
 */
export async function joinEmbedded(config: Config, options: EmbeddedOptions): Promise<Embedded> {
  refuseOwnStudio(config);
  const parts = await openParts(config.home);
  const wanted = wantedParts(config, options);
  const ensureAll = (options: { readonly elsewhere: boolean }) =>
    parts.exclusively(async (home) => {
      home.join(process.pid);
      const holders = findHolders(config.home);
      for (const [name, part] of wanted) {
        await ensure(home, { name, ...part, ...options, holders: holders.filter((holder) => holder.name === name) });
      }
    });
  try {
    await ensureAll({ elsewhere: true });
  } catch (error) {
    await leave(parts, wanted.keys());
    throw error;
  }
  const stopSupervising = supervise(parts, [...wanted.keys()], () => ensureAll({ elsewhere: false }));
  return {
    temporalAddress: addressOf(parts, 'temporal', wanted),
    studioUrl: wanted.has('studio') ? studioUrl(parts) : null,
    async leave() {
      await stopSupervising();
      await leave(parts, wanted.keys());
    },
  };
}

/** The address of the home's running studio, or null. */
export function studioUrl(parts: Pick<Parts, 'running'>): string | null {
  const part = parts.running('studio');
  return part ? `http://127.0.0.1:${part.port}/v1` : null;
}

function addressOf(parts: Parts, name: PartName, wanted: ReadonlyMap<PartName, WantedPart>): string | null {
  const part = wanted.has(name) ? parts.running(name) : null;
  return part ? `127.0.0.1:${part.port}` : null;
}

function wantedParts(
  config: Config,
  { env, say, program, parts = ['temporal', 'studio'] }: EmbeddedOptions,
): ReadonlyMap<PartName, WantedPart> {
  const { home } = config;
  const wanted = new Map<PartName, WantedPart>();
  if (!config.temporal && parts.includes('temporal')) {
    wanted.set('temporal', {
      start: (port, record) => startTemporalServer({ home, port, env, say, record }),
      ready: hasNamespace,
    });
  }
  if (!config.movieApi && parts.includes('studio')) {
    const { render } = config.studio;
    wanted.set('studio', {
      start: (port, record) => startStudioProcess({ home, port, render, env, program, record }),
      ready: accepts,
    });
  }
  return wanted;
}

interface EnsuredPart extends WantedPart {
  readonly name: PartName;
  /** The processes that work in its folder, recorded or not. */
  readonly holders: readonly Part[];
  /** Whether it may have another port than before: not while this process is connected to it. */
  readonly elsewhere: boolean;
}

/** Ensures exactly one process of a part: the first that answers is taken, the others are stopped. */
async function ensure(home: PartsOfHome, { name, start, ready, holders, elsewhere }: EnsuredPart): Promise<void> {
  const known = home.find(name);
  const recorded = known?.alive ? [known.part] : [];
  let kept: Part | null = null;
  for (const part of [...recorded, ...holders.filter(({ pid }) => pid !== recorded[0]?.pid)]) {
    if (kept === null && (await answers(part, ready))) kept = part;
    else if (!(await stopInBackground(part.pid))) {
      throw new Error(
        `Cannot start ${name}: process ${part.pid} of another user works in the same folder; stop it, or use another home`,
      );
    }
  }
  if (kept !== null) return home.record(kept);
  const before = known?.part.port;
  const port = before === undefined || elsewhere ? await freePort(before) : await samePort(before);
  await start(port, (pid) => home.record({ name, pid, port }));
}

/** Whether it is ready now or soon: it may have been started a moment ago by a command that was killed. */
async function answers({ pid, port }: Part, ready: WantedPart['ready']): Promise<boolean> {
  const until = performance.now() + answerPatienceMs;
  while (startTimeOf(pid) !== null && performance.now() < until) {
    if ((await accepts(port)) && (await ready(port))) return true;
    await sleep(25);
  }
  return false;
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
      // A part that cannot be started now is retried in a second; meanwhile workers and clients wait for it.
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
