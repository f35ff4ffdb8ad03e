import { type Proxies, proxyFor } from '../../api/proxies.js';
import { ConfigError } from '../config-error.js';

/** A proxy by which Temporal is reached. */
export interface TemporalProxy {
  /** As `proxy.example.com:3128`. */
  readonly host: string;
  readonly user: { readonly username: string; readonly password: string } | null;
}

/**
 * The proxy of the environment for a Temporal that is elsewhere; null where it is reached directly.
 *
 * @throws ConfigError for a proxy that gRPC cannot go by.
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

/** By which way a client's gRPC goes. Left alone it reads the environment by rules of its own, e.g. small letters only. */
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
