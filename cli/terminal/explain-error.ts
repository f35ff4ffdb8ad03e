import { printable } from '../../reports/wording/printable.js';
import type { CliContext } from './context.js';
import { CliError, type ExitCode, exitCodes } from './exit-codes.js';

export interface Explained {
  readonly message: string;
  readonly exitCode: ExitCode;
}

/**
 * Any error as one line for a person and the exit code that it means. Errors are told apart by name, so that a command
 * which never touches the ledger does not load it for this.
 */
export function explainError(error: unknown, { env }: Pick<CliContext, 'env'>): Explained {
  if (error instanceof CliError) return { message: error.message, exitCode: error.exitCode };
  const { name, message, code, cause } = asError(error);
  if (env.GREENLIGHT_DEBUG) {
    return { message: error instanceof Error ? (error.stack ?? message) : message, exitCode: exitCodes.incomplete };
  }
  const line = printable(message);
  switch (name) {
    case 'ConfigError':
    case 'ManifestError':
    case 'InvoiceError':
      return { message: line, exitCode: exitCodes.usage };
    case 'LedgerError':
      return { message: withNames(line, code), exitCode: ledgerExitCode(code) };
    case 'PricingInterrupted':
      return explainError(cause, { env });
    case 'MovieApiError':
      return { message: `${line}${isRefusal(error) ? '; check MOVIE_API_KEY' : ''}`, exitCode: exitCodes.unreachable };
    case 'ConnectionError':
      return {
        message: `${unreached(line)}; check MOVIE_API_URL, and that the service is running: greenlight doctor`,
        exitCode: exitCodes.unreachable,
      };
    case 'LedgerAwayError':
      return {
        message: `${line}; check GREENLIGHT_DATABASE_URL, and that the database is running`,
        exitCode: exitCodes.unreachable,
      };
    case 'ContractError':
    case 'TemporalProblem':
    case 'SchemaProblem':
    case 'InstallationProblem':
      return { message: line, exitCode: exitCodes.unreachable };
    case 'ReferenceProblem':
      return { message: `Cannot use the manifest: ${line}`, exitCode: exitCodes.usage };
    default:
      return systemError(line, code) ?? postgresError(line, code) ?? unexpected(line);
  }
}

/** Where the names are of which one was mistyped. */
const listsOf: Readonly<Record<string, string>> = {
  unknown_batch: 'greenlight status',
  unknown_budget: 'greenlight budget list',
  unknown_person: 'greenlight people list',
};

function withNames(message: string, code = ''): string {
  if (message.includes('greenlight ')) return message;
  const [, path] = code === 'no_room' ? (/: budget (\S+) has /.exec(message) ?? []) : [];
  if (path !== undefined) return `${message}: greenlight budget set ${path} <limit>`;
  const [, batchId] = /there is no such row in batch (\S+)$/.exec(message) ?? [];
  const list = batchId === undefined ? listsOf[code] : `greenlight status ${batchId} --rows`;
  return list === undefined ? message : `${message}; ${list} lists them`;
}

/** What was about to be asked does not matter to somebody whom the service does not answer. */
function unreached(line: string): string {
  return line.replace(/^Cannot [^:]+: /, 'Cannot reach the movie service: ');
}

function isRefusal(error: unknown): boolean {
  const { status } = error as { readonly status?: unknown };
  return status === 401 || status === 403;
}

/** What a person asked for wrongly is usage; what the ledger refuses by its rules waits for a person. */
function ledgerExitCode(code: string | undefined): ExitCode {
  return code?.startsWith('unknown_') || code === 'bad_argument' ? exitCodes.usage : exitCodes.stopped;
}

/** The machine's own refusals, by what a person can do about them. */
const systemErrors: ReadonlyMap<string, { readonly says: string; readonly exitCode: ExitCode }> = new Map([
  [
    'ENOSPC',
    { says: 'the disk is full; free some space and run the same command again', exitCode: exitCodes.unreachable },
  ],
  [
    'SQLITE_FULL',
    { says: 'the disk is full; free some space and run the same command again', exitCode: exitCodes.unreachable },
  ],
  [
    'EDQUOT',
    {
      says: 'the disk quota is exhausted; free some space and run the same command again',
      exitCode: exitCodes.unreachable,
    },
  ],
  ['EACCES', { says: 'no write permission; check the permissions of the folder', exitCode: exitCodes.unreachable }],
  ['EPERM', { says: 'no write permission; check the permissions of the folder', exitCode: exitCodes.unreachable }],
  ['EROFS', { says: 'it is on a read-only disk; choose another folder', exitCode: exitCodes.unreachable }],
  ['ENOENT', { says: 'it cannot be created; check that its disk is writable', exitCode: exitCodes.unreachable }],
  ['EEXIST', { says: 'it is a file, not a folder; name another one', exitCode: exitCodes.usage }],
  ['ENOTDIR', { says: 'part of the path is a file, not a folder', exitCode: exitCodes.usage }],
  ['EADDRINUSE', { says: 'another program is listening there; choose another port', exitCode: exitCodes.unreachable }],
  [
    'SQLITE_READONLY',
    { says: 'no permission to write the ledger; check the permissions of its folder', exitCode: exitCodes.unreachable },
  ],
  [
    'SQLITE_CANTOPEN',
    { says: 'the ledger cannot be opened; check its folder and permissions', exitCode: exitCodes.unreachable },
  ],
  ['SQLITE_NOTADB', { says: 'the ledger is not a database; name another file', exitCode: exitCodes.unreachable }],
  ['SQLITE_BUSY', { says: 'another process holds the ledger; try again', exitCode: exitCodes.unreachable }],
  [
    'SQLITE_IOERR',
    { says: 'the disk of the ledger failed; free some space or check the disk', exitCode: exitCodes.unreachable },
  ],
]);

function systemError(message: string, code: string | undefined): Explained | null {
  const known = systemErrors.get(code ?? '') ?? systemErrors.get((code ?? '').replace(/^(SQLITE_[A-Z]+)_.*$/, '$1'));
  if (!known) return null;
  // What our own stores say names the place already.
  if (message.startsWith('Cannot ')) return { message, exitCode: known.exitCode };
  const place = /'([^']+)'/.exec(message)?.[1];
  return {
    message: `Cannot continue${place ? ` with ${place}` : ''}: ${known.says} (${code})`,
    exitCode: known.exitCode,
  };
}

/** Of PostgreSQL: the database is not there (3D), who asks may not enter (28), or may not do that (42501). */
function postgresError(message: string, code: string | undefined): Explained | null {
  if (!/^(3D...|28...|42501)$/.test(code ?? '')) return null;
  const says = `Cannot use the ledger: ${message}; check GREENLIGHT_DATABASE_URL`;
  return { message: says, exitCode: exitCodes.unreachable };
}

function unexpected(message: string): Explained {
  return {
    message: message.startsWith('Cannot ')
      ? message
      : `Cannot continue: ${message}; set GREENLIGHT_DEBUG=1 to see where`,
    exitCode: exitCodes.incomplete,
  };
}

function asError(error: unknown): {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly cause?: unknown;
} {
  if (!(error instanceof Error)) return { name: '', message: String(error) };
  const { code } = error as { code?: unknown };
  return {
    name: error.name,
    message: error.message,
    ...(typeof code === 'string' && { code }),
    ...(error.cause !== undefined && { cause: error.cause }),
  };
}
