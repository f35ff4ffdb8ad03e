import { createHash, randomUUID } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Agent, type Dispatcher, request } from 'undici';
import { noProxies, type Proxies, proxyFor } from './proxies.js';
import { isPublicAddress, NotPublic, publicLookup } from './public-address.js';
import { createRoutes } from './routes.js';

/** How to fetch files from other people's servers. */
export interface PublicFileRules {
  /** Also plain `http` and addresses of private networks. */
  readonly allowPrivate: boolean;
  readonly maxBytes: number;
  readonly proxies?: Proxies | undefined;
  /** Whether a redirect there may be followed; by default to every address that may be fetched at all. */
  readonly mayGoTo?: (url: URL) => boolean;
}

export interface PublicFileRequest extends PublicFileRules {
  /** The file is kept here by the SHA-256 of its bytes. */
  readonly folder: string;
  readonly agent: Dispatcher;
  readonly signal?: AbortSignal | undefined;
}

export interface PublicFile {
  readonly path: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  /** The server's name for it (`Content-Disposition`): untrusted text. */
  readonly disposition: string | null;
}

/** The server answered, but not with a file. */
export class NoFileError extends Error {
  readonly status: number;
  /** The redirect target, if it is not allowed. */
  readonly forbidden: URL | null;

  constructor(message: string, status: number, forbidden: URL | null = null) {
    super(message);
    this.status = status;
    this.forbidden = forbidden;
  }
}

const maxRedirects = 5;

/** Opens connections for such files: names are checked as they are dialled. */
export function publicRoutes({
  allowPrivate,
  proxies = noProxies,
}: Pick<PublicFileRules, 'allowPrivate' | 'proxies'>): Agent {
  return createRoutes(proxies, {
    connect: allowPrivate ? { timeout: 10_000 } : { timeout: 10_000, lookup: publicLookup },
    headersTimeout: 30_000,
    bodyTimeout: 30_000,
  });
}

/**
 * Fetches a file into a folder; its name appears there once it is whole.
 *
 * @throws NoFileError for an answer that is not a file; Error, whose message says why, for everything else.
 */
export async function fetchPublicFile(url: string, options: PublicFileRequest): Promise<PublicFile> {
  const { body, statusCode, headers } = await follow(url, options);
  if (statusCode !== 200) {
    await body.dump();
    throw new NoFileError(`the answer is ${statusCode}`, statusCode);
  }
  const { 'content-disposition': disposition } = headers;
  return { ...(await save(body, options)), disposition: typeof disposition === 'string' ? disposition : null };
}

async function follow(url: string, options: PublicFileRequest): Promise<Dispatcher.ResponseData> {
  let target = new URL(url);
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    refuseForbidden(target, options);
    await refusePrivateName(target, options);
    const answer = await request(target, { dispatcher: options.agent, signal: options.signal ?? null });
    const location = answer.headers.location;
    if (answer.statusCode < 300 || answer.statusCode >= 400 || typeof location !== 'string') return answer;
    await answer.body.dump();
    target = new URL(location, target);
    if (options.mayGoTo?.(target) === false) {
      throw new NoFileError(`it leads to ${target.host}, which is not followed`, answer.statusCode, target);
    }
  }
  throw new Error(`it redirects more than ${maxRedirects} times`);
}

/** Names are checked when they are dialled; an address written as such is never looked up, so it is checked here. */
function refuseForbidden({ protocol, hostname }: URL, { allowPrivate }: PublicFileRules): void {
  if (allowPrivate) return;
  if (protocol !== 'https:') throw new NotPublic('it is not an https address');
  const address = hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) && !isPublicAddress(address)) throw new NotPublic('it is an address of a private network');
}

/**
 * A proxy resolves names itself, in a network that may have private ones. Names that we can resolve are checked here;
 * names that only the proxy knows are for the proxy to refuse.
 */
async function refusePrivateName(url: URL, { allowPrivate, proxies = noProxies }: PublicFileRules): Promise<void> {
  if (allowPrivate || proxyFor(url, proxies) === null) return;
  const found = await lookup(url.hostname, { all: true }).catch(() => []);
  if (found.length > 0 && !found.some(({ address }) => isPublicAddress(address))) {
    throw new NotPublic(`${url.hostname} is an address of a private network`);
  }
}

async function save(
  body: Dispatcher.ResponseData['body'],
  { folder, maxBytes, signal }: PublicFileRequest,
): Promise<Omit<PublicFile, 'disposition'>> {
  await mkdir(folder, { recursive: true });
  const part = join(folder, `${randomUUID()}.part`);
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sizeBytes += chunk.length;
      hash.update(chunk);
      done(sizeBytes > maxBytes ? new Error(`it is larger than ${maxBytes / 2 ** 20} MiB`) : null, chunk);
    },
  });
  try {
    await pipeline(body, measure, createWriteStream(part), { signal });
    if (sizeBytes === 0) throw new Error('it is empty');
    const sha256 = hash.digest('hex');
    const path = join(folder, sha256);
    await rename(part, path);
    return { path, sha256, sizeBytes };
  } finally {
    await rm(part, { force: true });
  }
}

/** Says why a file could not be fetched: by the name of the error where that says more. */
export function fetchFailure(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return error instanceof NotPublic || error instanceof NoFileError || !code ? message : code;
}
