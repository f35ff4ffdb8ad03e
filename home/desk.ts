import { join } from 'node:path';
import { createRemoteFiles } from '../pricing/remote-files.js';
import { renewReports } from '../reports/renew-reports.js';
import type { DeskDeps } from '../web/desk-deps.js';
import { type DeskServer, serveDesk } from '../web/serve-desk.js';
import { archiveHere } from './archive/archive-here.js';
import { ConfigError } from './config-error.js';
import type { Config } from './config.js';
import type { Installation } from './installation.js';

const usualPlace = { host: '127.0.0.1', port: 7337 };

export interface OpenDeskOptions {
  /** Logs a line about an error of our own. */
  readonly onFault: (error: unknown, requestId: string) => void;
  /** Checks the parts of this installation from this machine. */
  readonly diagnose: DeskDeps['diagnose'];
}

/**
 * Serves the desk at the configured address. Without one, at the default port of this machine, or at another if that is
 * taken.
 *
 * @throws ConfigError when it cannot listen there, or when browsers would come over plain http from other machines.
 */
export async function openDesk(
  installation: Installation,
  { onFault, diagnose }: OpenDeskOptions,
): Promise<DeskServer> {
  const { ledger, service, clock, workflows, seeWorkers, listWorkers, config } = installation;
  const { listen, url } = config.desk;
  const remoteFiles = createRemoteFiles({
    folder: join(config.home, 'references'),
    allowPrivate: config.allowPrivateReferences,
    proxies: config.proxies,
  });
  const deps = {
    ...{ ledger, service, clock, workflows, seeWorkers, listWorkers, onFault, diagnose, remoteFiles },
    films: installation.archive,
    archiveHere: archiveHere(installation),
    renewReports: async () => {
      // A shared ledger's archive is where its workers are; they write the reports again.
      if (ledger.dialect !== 'sqlite') return;
      await renewReports({ ledger, clock, reportFolder: installation.reports }, service);
    },
    movieApi: () => installation.movieApi(),
    ...{ company: config.desk.company, freshSignIn: config.desk.freshSignIn },
    uploadsFolder: join(config.home, 'uploads'),
    allowPrivateReferences: config.allowPrivateReferences,
  };
  const at = async (port: number): Promise<DeskServer> => {
    const server = await serveDesk({ ...(listen ?? usualPlace), port, publicUrl: url }, deps);
    return {
      ...server,
      async close() {
        await server.close();
        await remoteFiles.close();
      },
    };
  };
  try {
    return await at((listen ?? usualPlace).port).catch((error: NodeJS.ErrnoException) => {
      if (listen !== null || url !== null || error.code !== 'EADDRINUSE') throw error;
      return at(0);
    });
  } catch (error) {
    await remoteFiles.close();
    throw new ConfigError(words(error as NodeJS.ErrnoException, installation.config), { cause: error });
  }
}

function words({ message, code }: NodeJS.ErrnoException, { desk: { listen } }: Pick<Config, 'desk'>): string {
  if (code === undefined) return `${message}; set GREENLIGHT_DESK_URL`;
  const { host, port } = listen ?? usualPlace;
  return `Cannot serve the desk at ${host}:${port}: ${message}; change GREENLIGHT_DESK_LISTEN`;
}
