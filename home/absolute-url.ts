import { isAbsolute, resolve } from 'node:path';

/** Makes the address of a file absolute; addresses of other schemes are returned unchanged. */
export function absoluteUrl(scheme: string, url: string, cwd: string): string {
  if (!url.startsWith(scheme)) return url;
  const path = url.slice(scheme.length).replace(/^\/\/(?=\/)/, '');
  return scheme + (isAbsolute(path) ? path : resolve(cwd, path));
}
