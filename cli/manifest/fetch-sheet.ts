import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Dispatcher } from 'undici';
import type { Proxies } from '../../api/proxies.js';
import { NotPublic } from '../../api/public-address.js';
import { fetchFailure, fetchPublicFile, NoFileError, type PublicFile, publicRoutes } from '../../api/public-file.js';
import { CliError, type ExitCode, exitCodes } from '../terminal/exit-codes.js';
import type { OpenSource } from './manifest-source.js';
import { campaignOf, isSignIn, type SheetAddress, sheetAddress } from './sheet-address.js';

export interface FetchSheetOptions {
  /** Also plain `http` and addresses of private networks. */
  readonly allowPrivate: boolean;
  readonly proxies?: Proxies | undefined;
  /** In the place of connections of its own. */
  readonly agent?: Dispatcher;
}

/** A workbook is held whole. */
const maxBytes = 64 * 1024 * 1024;
const mostMs = 120_000;

/**
 * The sheet at an address, kept in a file until `close`. References that are files of this machine are none of its
 * business: whoever writes a sheet elsewhere does not choose what is read here.
 *
 * @throws CliError that says how to share it when it cannot be had.
 */
export async function fetchSheet(text: string, options: FetchSheetOptions): Promise<OpenSource> {
  const address = sheetAddress(text);
  if (!address) throw new CliError(`Cannot read ${text}: it is not an address`, exitCodes.usage);
  const folder = await mkdtemp(join(tmpdir(), 'greenlight-sheet-'));
  const close = () => rm(folder, { recursive: true, force: true });
  try {
    const { path, disposition } = await download(address, folder, options);
    const empty = join(folder, 'no-files');
    await mkdir(empty);
    const campaign = campaignOf(disposition, address);
    const named = campaign === null ? {} : { campaign };
    return { source: { name: address.name, folder: empty, ...named, open: () => createReadStream(path) }, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function download(
  address: SheetAddress,
  folder: string,
  { allowPrivate, proxies, agent }: FetchSheetOptions,
): Promise<PublicFile> {
  const own = agent ? null : publicRoutes({ allowPrivate, proxies });
  const { mayGoTo } = address;
  try {
    return await fetchPublicFile(address.download, {
      ...{ folder, allowPrivate, proxies, maxBytes, mayGoTo },
      ...{ agent: agent ?? (own as Dispatcher), signal: AbortSignal.timeout(mostMs) }, // one of the two is there
    });
  } catch (error) {
    throw refused(address, error);
  } finally {
    await own?.close();
  }
}

function refused({ name, howToShare }: SheetAddress, cause: unknown): CliError {
  const said = (words: string, code: ExitCode) => new CliError(`Cannot read ${name}: ${words}`, code, { cause });
  if (cause instanceof NoFileError) {
    if (cause.status >= 500) return said(`its server answers ${cause.status}; try again later`, exitCodes.unreachable);
    return said(`${wantsSignIn(cause) ? 'it is not shared' : cause.message}; ${howToShare}`, exitCodes.usage);
  }
  if (cause instanceof NotPublic) return said(cause.message, exitCodes.usage);
  const isSlow = cause instanceof Error && cause.name === 'TimeoutError';
  if (isSlow) return said(`it took longer than ${mostMs / 1_000} s`, exitCodes.unreachable);
  const { code } = cause as NodeJS.ErrnoException;
  if (/CERT|TLS|SSL/.test(code ?? '')) {
    const right = 'NODE_EXTRA_CA_CERTS names a file with the authority that signed it';
    return said(`its certificate is not trusted (${code}); ${right}`, exitCodes.unreachable);
  }
  const [why, right] = failures.find(([codes]) => codes.test(code ?? ''))?.slice(1) ?? [];
  return said(why === undefined ? fetchFailure(cause) : `${why} (${code}); ${right}`, exitCodes.unreachable);
}

/** What a connection fails with, in words, and what to do then. */
const failures: readonly (readonly [RegExp, string, string])[] = [
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, 'its host is not found', 'check the address and the network'],
  [/^ECONNREFUSED$/, 'nothing listens there', 'check the address'],
  [/_TIMEOUT$|^ETIMEDOUT$/, 'its server does not answer in time', 'try again later'],
  [/^(?:UND_ERR_SOCKET|ECONNRESET|EPIPE)$/, 'the connection broke off', 'try again'],
];

function wantsSignIn({ status, forbidden }: NoFileError): boolean {
  return [401, 403].includes(status) || (forbidden !== null && isSignIn(forbidden));
}
