/** Where the desk is to be found, as browsers see it. */
export interface Site {
  /** As `http://127.0.0.1:7337` or `https://desk.example/gl`, without a slash at the end. */
  readonly publicUrl: string;
  /** Values of the Host header that are ours. */
  readonly hosts: readonly string[];
  /** Values of the Origin header that our own pages send. */
  readonly origins: readonly string[];
  /** `/gl`, or nothing where the desk has a host of its own. */
  readonly basePath: string;
  /** Plain http on this machine alone: whoever works alone may sign in, and cookies have no `Secure`. */
  readonly isLoopback: boolean;
}

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * @throws Error for an address that is not http or https, and for plain http beyond this machine: whoever listens on the
 * way could take a session, and browsers keep neither `Secure` cookies nor locks there.
 */
export function siteAt(publicUrl: string): Site {
  const cannot = (why: string) => new Error(`Cannot serve the desk at ${publicUrl}: ${why}`);
  if (!URL.canParse(publicUrl)) throw cannot('it must be an address, e.g. https://desk.example');
  const { protocol, hostname, host, port, pathname, origin } = new URL(publicUrl);
  const isLoopback = protocol === 'http:' && isLoopbackName(hostname);
  if (protocol !== 'https:' && !isLoopback) {
    throw cannot('plain http is for this machine alone; put it behind a proxy with https and name that address');
  }
  const basePath = pathname.replace(/\/+$/, '');
  const names = port === '' ? loopbackNames : loopbackNames.map((name) => `${name}:${port}`);
  const hosts = isLoopback ? names : [host];
  const origins = isLoopback ? names.map((name) => `http://${name}`) : [origin];
  return { publicUrl: `${origin}${basePath}`, hosts, origins, basePath, isLoopback };
}

function isLoopbackName(hostname: string): boolean {
  return loopbackNames.includes(hostname) || hostname === '::1' || hostname.startsWith('127.');
}
