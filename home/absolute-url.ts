import { isAbsolute, resolve } from 'node:path';

/** An address of a file as one that holds wherever one is; another scheme's is left as it is. */
export function absoluteUrl(scheme: string, url: string, cwd: string): string {
  if (!url.startsWith(scheme)) return url;
  const path = url.slice(scheme.length).replace(/^\/\/(?=\/)/, '');
  return scheme + (isAbsolute(path) ? path : resolve(cwd, path));
}
