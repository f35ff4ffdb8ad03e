/** Where a bundle's checksums stand, as `sha256sum -c` reads them. */
export const checksumsName = 'SHA256SUMS';

/** The files that a list of checksums names, by paths within its folder; null for a text that is no such list. */
export function listedChecksums(text: string): readonly { readonly path: string; readonly sha256: string }[] | null {
  const lines = text.split(/\r?\n/).filter((line) => line !== '');
  const files = lines.map((line) => {
    const [, sha256 = '', path = ''] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line) ?? [];
    return { sha256, path };
  });
  const isWithin = (path: string) => path.split('/').every((part) => part !== '' && !part.startsWith('..'));
  return files.every(({ path }) => isWithin(path)) ? files : null;
}
