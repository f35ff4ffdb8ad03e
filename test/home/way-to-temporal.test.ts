import { expect, test } from 'vitest';
import { readProxies } from '../../api/proxies.js';
import { proxyToTemporal, wayToTemporal } from '../../home/temporal/way-to-temporal.js';

const of = (address: string, env: Record<string, string>) => proxyToTemporal(address, readProxies(env));
const corporate = { HTTPS_PROXY: 'http://ana:s%20cret@proxy.example:3128' };

test('a Temporal that is elsewhere is reached by the proxy of the environment', () => {
  const proxy = of('temporal.example:7233', corporate);
  expect(proxy).toEqual({ host: 'proxy.example:3128', user: { username: 'ana', password: 's cret' } });
  expect(wayToTemporal('temporal.example:7233', proxy)).toEqual({
    address: 'proxy.example:3128',
    channelArgs: {
      'grpc.enable_http_proxy': 0,
      'grpc.http_connect_target': 'dns:temporal.example:7233',
      'grpc.default_authority': 'temporal.example:7233',
      'grpc.http_connect_creds': 'ana:s cret',
    },
  });
});

test.each([
  ['this machine', '127.0.0.1:7233', corporate],
  ['NO_PROXY', 'temporal.example:7233', { ...corporate, NO_PROXY: '.example' }],
  ['no proxy', 'temporal.example:7233', {}],
])('for the sake of %s it is reached directly', (_, address, env) => {
  expect(of(address, env)).toBeNull();
  expect(wayToTemporal(address, null)).toEqual({ address, channelArgs: { 'grpc.enable_http_proxy': 0 } });
});

test('a proxy that gRPC cannot go by is refused', () => {
  expect(() => of('temporal.example:7233', { HTTPS_PROXY: 'socks5://proxy.example:1080' })).toThrow(
    'Cannot reach Temporal at temporal.example:7233 by the proxy of HTTPS_PROXY: it must begin with http://; or name temporal.example:7233 in NO_PROXY',
  );
});
