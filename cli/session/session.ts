import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { Option } from '@commander-js/extra-typings';
import type { Actor } from '../../domain/roles.js';
import { type Config, readConfig } from '../../home/config.js';
import { type Installation, openInstallation } from '../../home/installation.js';
import type { OperationDeps } from '../../operations/deps.js';
import { terminalActor } from '../../operations/terminal-actor.js';
import type { WaitingDeps } from '../../operations/why-waiting.js';
import type { CliContext } from '../terminal/context.js';
import { CliError, exitCodes } from '../terminal/exit-codes.js';

/** An opened installation and the person at the terminal. */
export interface Session {
  readonly installation: Installation;
  readonly deps: OperationDeps;
  /**
   * Asked for where somebody acts; who only looks needs no name.
   *
   * @throws LedgerError when people are registered and this one is not known.
   */
  actor(): Promise<Actor>;
}

export interface SessionFlags {
  readonly home?: string | undefined;
  readonly out?: string | undefined;
  readonly render?: string | undefined;
  readonly health?: string | undefined;
  readonly log?: string | undefined;
}

export interface SessionOptions {
  /** `create`: a home that does not exist yet is made. `find`: that is a mistake of the person. */
  readonly home: 'create' | 'find';
}

export function homeOption() {
  return new Option('--home <folder>', 'data directory: ledger, built-in Temporal and studio (GREENLIGHT_HOME)');
}

/** Runs `work` on the installation that flags, environment and settings file name, and releases it afterwards. */
export async function withSession<T>(
  context: CliContext,
  flags: SessionFlags,
  work: (session: Session) => Promise<T>,
  options: SessionOptions = { home: 'find' },
): Promise<T> {
  const config = await configOf(context, flags);
  if (options.home === 'find') requireLedger(config);
  const installation = await openInstallation(config);
  try {
    return await work(sessionOf(installation, context));
  } finally {
    await installation.close();
  }
}

export function configOf({ env, cwd }: CliContext, { home, out, render, health, log }: SessionFlags): Promise<Config> {
  const flags = {
    ...(home !== undefined && { home }),
    ...(out !== undefined && { out }),
    ...(render !== undefined && { render }),
    ...(health !== undefined && { health }),
    ...(log !== undefined && { log }),
  };
  return readConfig({ env, cwd, flags });
}

export function sessionOf(installation: Installation, { env }: Pick<CliContext, 'env'>): Session {
  const { ledger, service, clock, workflows } = installation;
  return {
    installation,
    deps: { ledger, service, clock, workflows },
    actor: () => terminalActor({ ledger, clock }, { token: env.GREENLIGHT_TOKEN, loginName: loginName() }),
  };
}

/** What it takes to say why a batch does not go on. */
export function waitingDeps({ deps, installation }: Session): WaitingDeps {
  const { seeWorkers, config } = installation;
  return { ...deps, seeWorkers, maxInFlight: config.maxInFlight };
}

/** @throws CliError where no ledger is. */
export function requireLedger({ databaseUrl, home }: Config): void {
  const path = databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : null;
  if (path === null || existsSync(path)) return;
  throw new CliError(
    `Cannot find a ledger in ${home}: nothing has run there yet; change to its folder, or set --home or GREENLIGHT_HOME`,
    exitCodes.usage,
  );
}

/** The name of the machine's account. */
export function loginName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'local'; // a container may run as a number without a name
  }
}
