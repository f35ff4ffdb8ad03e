import { type Proxies, proxyFor } from '../../api/proxies.js';
import { ConfigError } from '../config-error.js';

/** A proxy through which Temporal is reached. */
export interface TemporalProxy {
  /** E.g. `proxy.example.com:3128`. */
  readonly host: string;
  readonly user: { readonly username: string; readonly password: string } | null;
}

/**
 * The environment's proxy for a remote Temporal; null for a direct connection.
 *
 * @throws ConfigError for a proxy that gRPC cannot use.
 */
export function proxyToTemporal(address: string, proxies: Proxies): TemporalProxy | null {
  const found = proxyFor(`https://${address}`, proxies);
  if (found === null) return null;
  const { protocol, hostname, port, username, password } = new URL(found);
  if (protocol !== 'http:') {
    throw new ConfigError(
      `Cannot reach Temporal at ${address} by the proxy of HTTPS_PROXY: it must begin with http://; or name ${address} in NO_PROXY`,
    );
  }
  const user =
    username === '' ? null : { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  return { host: `${hostname}:${port || '80'}`, user };
}

/** How a client's gRPC connects. By default it reads the environment by rules of its own, e.g. lower case only. */
export interface ChannelWay {
  readonly address: string;
  readonly channelArgs: Readonly<Record<string, string | number>>;
}

export function wayToTemporal(address: string, proxy: TemporalProxy | null): ChannelWay {
  const itself = { 'grpc.enable_http_proxy': 0 };
  if (proxy === null) return { address, channelArgs: itself };
  const { host, user } = proxy;
  return {
    address: host,
    channelArgs: {
      ...itself,
      'grpc.http_connect_target': `dns:${address}`,
      'grpc.default_authority': address,
      ...(user && { 'grpc.http_connect_creds': `${user.username}:${user.password}` }),
    },
  };
}
