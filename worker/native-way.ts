import type { NativeConnectionOptions } from '@temporalio/worker';
import type { TemporalConfig } from '../home/config.js';

/** The SDK's core does not read the environment's proxies by itself. */
export function nativeWay({
  address,
  credentials,
  proxy,
}: Pick<TemporalConfig, 'address' | 'credentials' | 'proxy'>): NativeConnectionOptions {
  if (proxy === null) return { ...credentials, address };
  const { host, user } = proxy;
  return {
    ...{ ...credentials, address },
    proxy: { type: 'http-connect', targetHost: host, ...(user && { basicAuth: user }) },
  };
}
