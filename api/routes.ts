import { Agent, type buildConnector, type Dispatcher, fetch as fetchBy, Pool, ProxyAgent } from 'undici';
import { type Proxies, proxyFor } from './proxies.js';

interface RouteOptions extends Omit<Agent.Options, 'connect' | 'factory'> {
  /** For connections made without a proxy. */
  readonly connect?: Pool.Options['connect'];
}

const connectMs = 10_000;

/** Sends each request through the proxy for its address, or directly. */
export function createRoutes(
  proxies: Proxies,
  { connect = { timeout: connectMs }, ...options }: RouteOptions = {},
): Agent {
  return new Agent({
    ...options,
    factory(origin): Dispatcher {
      const uri = proxyFor(origin, proxies);
      return uri === null ? new Pool(origin, { ...options, connect }) : proxyAgent(uri, { ...options, connectMs });
    },
  });
}

export interface RoutedFetch {
  fetch(request: Request, signal: AbortSignal): Promise<Response>;
  close(): Promise<void>;
}

/** `fetch` through these routes: Node's own ignores proxies. */
export function createRoutedFetch(proxies: Proxies): RoutedFetch {
  const dispatcher = createRoutes(proxies);
  return {
    async fetch({ url, method, headers, body, redirect }, signal) {
      const given = body && { body, duplex: 'half' as const };
      const answer = await fetchBy(url, { method, headers: [...headers], ...given, redirect, signal, dispatcher });
      return answer as unknown as Response; // the same, by another name
    },
    close: () => dispatcher.destroy(),
  };
}

interface ProxyOptions extends Omit<Pool.Options, 'connect'> {
  /** For the connection to the proxy, and for TLS behind it. */
  readonly connectMs: number;
}

/** A pool of tunnels through one proxy. */
export function proxyAgent(uri: string, { connectMs: timeout, ...options }: ProxyOptions): Dispatcher {
  const tls = { timeout };
  return new ProxyAgent({ ...options, uri, proxyTls: tls, requestTls: tls, factory: poolOfTunnels });
}

/** Undici retries forever when a proxy hangs up on a tunnel: it takes this for the end of a kept connection. */
function poolOfTunnels(origin: URL, options: object): Pool {
  const { connect, ...others } = options as { readonly connect: buildConnector.connector }; // by ProxyAgent
  return new Pool(origin, {
    ...others,
    connect: (target, done) =>
      connect(target, (...[error, socket]) => {
        if (error === null) done(null, socket);
        else done(isHangUp(error) ? new TunnelError('the proxy hung up', { cause: error }) : error, null);
      }),
  });
}

function isHangUp(error: Error): boolean {
  return 'code' in error && error.code === 'UND_ERR_SOCKET';
}

class TunnelError extends Error {
  readonly code = 'PROXY_HUNG_UP';
}
