/** The proxies of the environment, as curl and most tools read them. */
export interface Proxies {
  /** For addresses that begin with `http:`, and `https:`. */
  readonly http: string | null;
  readonly https: string | null;
  /** Hosts that are reached directly: names with their subdomains, with or without a port; `*` for all. */
  readonly direct: readonly string[];
}

export const noProxies: Proxies = { http: null, https: null, direct: [] };

/**
 * Reads `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`; lower case wins over upper case.
 *
 * @throws TypeError for one that is not an address.
 */
export function readProxies(env: Readonly<Record<string, string | undefined>>): Proxies {
  const read = (name: string) => (env[name] || env[name.toUpperCase()] || '').trim();
  const proxy = (name: string) => proxyUrl(name, read(name)) ?? proxyUrl('all_proxy', read('all_proxy'));
  return {
    http: proxy('http_proxy'),
    https: proxy('https_proxy'),
    direct: read('no_proxy')
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((entry) => entry !== ''),
  };
}

/** `proxy.example.com:3128` is how many write it. */
function proxyUrl(name: string, text: string): string | null {
  if (text === '') return null;
  const url = text.includes('://') ? text : `http://${text}`;
  if (URL.canParse(url) && /^(https?|socks5?):$/.test(new URL(url).protocol)) return url;
  throw new TypeError(`Cannot use ${name.toUpperCase()}: it must be the address of a proxy, as http://host:port`);
}

/** The proxy through which an address is reached; null for none. This machine's own servers are never behind one. */
export function proxyFor(address: string | URL, proxies: Proxies): string | null {
  const { protocol, hostname, port } = new URL(address);
  const proxy = protocol === 'https:' ? proxies.https : proxies.http;
  if (proxy === null || isThisMachine(hostname)) return null;
  const itsPort = port || (protocol === 'https:' ? '443' : '80');
  return proxies.direct.some((entry) => covers(entry, { hostname, itsPort })) ? null : proxy;
}

export function isThisMachine(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i.test(hostname);
}

function covers(
  entry: string,
  { hostname, itsPort }: { readonly hostname: string; readonly itsPort: string },
): boolean {
  if (entry === '*') return true;
  const [, name = entry, port] = /^(.*[^:]):(\d+)$/.exec(entry) ?? [];
  if (port !== undefined && port !== itsPort) return false;
  const plain = name.replace(/^\*?\./, '');
  return hostname === plain || hostname === `[${plain}]` || hostname.endsWith(`.${plain}`);
}

/** The address to show: without the name and password that it may hold. */
export function proxyName(proxy: string): string {
  return new URL(proxy).host;
}
