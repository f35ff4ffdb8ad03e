import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { stringify } from 'yaml';
import { startInBackground } from '../../home/background-process.js';
import { freePort } from '../../home/free-port.js';
import { hasNamespace } from '../../home/temporal/temporal-server.js';

const run = promisify(execFile);
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'greenlight-temporal');
const programs = { server: join(cache, 'server'), schema: join(cache, 'sql') };

/** Why there is no cluster here; null where there can be one. */
export function whyNoCluster(): string | null {
  const isHere = existsSync(programs.server) && existsSync(programs.schema);
  return isHere ? null : 'no Temporal cluster is cached; test/temporal-cluster.sh gets it';
}

export interface TemporalDatabases {
  readonly host: string;
  readonly port: string;
  readonly user: string;
  readonly main: string;
  readonly visibility: string;
}

/** Brings two empty databases to the server's own tables. */
export async function createTemporalTables(at: TemporalDatabases): Promise<void> {
  for (const [database, schema] of [
    [at.main, 'temporal'],
    [at.visibility, 'visibility'],
  ] as const) {
    const to = [
      '--plugin',
      'postgres12',
      '--ep',
      at.host,
      '-p',
      at.port,
      '-u',
      at.user,
      '--pw',
      'none',
      '--db',
      database,
    ];
    await run(programs.schema, [...to, 'setup-schema', '-v', '0.0']);
    await run(programs.schema, [...to, 'update-schema', '--schema-name', `postgresql/v12/${schema}`]);
  }
}

/**
 * Starts a server of all four services over these databases, and makes its namespace where there is none yet.
 *
 * @returns its process id.
 */
export async function startTemporalCluster(folder: string, port: number, at: TemporalDatabases): Promise<number> {
  await mkdir(folder, { recursive: true });
  const config = join(folder, 'server.yaml');
  await writeFile(join(folder, 'dynamic.yaml'), stringify({ 'limit.maxIDLength': [{ value: 255 }] }));
  await writeFile(config, stringify(await serverConfig(folder, port, at)));
  return startInBackground({
    file: programs.server,
    args: ['--config-file', config, '--allow-no-auth', 'start'],
    env: { PATH: process.env.PATH, HOME: folder },
    port,
    logFile: join(folder, 'server.log'),
    ready: async () => (await hasNamespace(port)) || (await makeNamespace(port)),
  });
}

/** @returns false: it is there for everybody some seconds later. */
async function makeNamespace(port: number): Promise<false> {
  const connection = await Connection.connect({ address: `127.0.0.1:${port}`, connectTimeout: 1_000 }).catch(
    () => null,
  );
  await connection?.workflowService
    .registerNamespace({
      namespace: 'default',
      workflowExecutionRetentionPeriod: msToTs('3 days'),
    })
    .catch(() => undefined); // it exists, or the server is still starting
  await connection?.close();
  return false;
}

async function serverConfig(folder: string, port: number, at: TemporalDatabases): Promise<unknown> {
  const store = (databaseName: string, maxConns: number) => ({
    sql: {
      ...{ pluginName: 'postgres12', databaseName, connectAddr: `${at.host}:${at.port}`, connectProtocol: 'tcp' },
      ...{ user: at.user, password: 'none', maxConns, maxIdleConns: maxConns, maxConnLifetime: '1h' },
    },
  });
  const service = async (grpcPort?: number) => ({
    rpc: { grpcPort: grpcPort ?? (await freePort()), membershipPort: await freePort(), bindOnIP: '127.0.0.1' },
  });
  const disabled = { history: { state: 'disabled' }, visibility: { state: 'disabled' } };
  const address = `127.0.0.1:${port}`;
  return {
    log: { stdout: true, level: 'error' },
    persistence: {
      ...{ defaultStore: 'main', visibilityStore: 'visibility', numHistoryShards: 64 },
      datastores: { main: store(at.main, 20), visibility: store(at.visibility, 5) },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' } },
    services: {
      frontend: await service(port),
      matching: await service(),
      history: await service(),
      worker: await service(),
    },
    clusterMetadata: {
      ...{ enableGlobalNamespace: false, failoverVersionIncrement: 10 },
      ...{ masterClusterName: 'active', currentClusterName: 'active' },
      clusterInformation: {
        active: { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress: address },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    archival: disabled,
    namespaceDefaults: { archival: disabled },
    publicClient: { hostPort: address },
    dynamicConfigClient: { filepath: join(folder, 'dynamic.yaml'), pollInterval: '10s' },
  };
}
