import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { ArchiveStore } from '../../archive/archive-store.js';
import { CliError, exitCodes } from '../terminal/exit-codes.js';

/** How results name the files of a batch. */
export type LinksFlag =
  /** By their paths in the archive. */
  | { readonly kind: 'plain' }
  /** Below an address that serves the archive. */
  | { readonly kind: 'base'; readonly url: string }
  /** By addresses of the bucket that whoever has them may read for a while. */
  | { readonly kind: 'presigned'; readonly seconds: number };

const unitSeconds: Readonly<Record<string, number>> = { m: 60, h: 3_600, d: 86_400 };
const mostSeconds = 7 * 86_400;

/** @throws InvalidArgumentError for what is none of `plain`, `base=https://…` and `presigned=7d`. */
export function readLinksFlag(text: string): LinksFlag {
  if (text === 'plain') return { kind: 'plain' };
  const [, kind, value = ''] = /^(base|presigned)=(.+)$/.exec(text) ?? [];
  if (kind === 'base') {
    if (!/^https?:\/\/[^?#]+$/.test(value) || !URL.canParse(value)) {
      throw new InvalidArgumentError('Expected base=https://… without a query.');
    }
    return { kind, url: value.replace(/\/+$/, '') };
  }
  const [, count = '', unit = ''] = (kind && /^(\d{1,5})([mhd])$/.exec(value)) || [];
  const seconds = Number(count) * (unitSeconds[unit] ?? 0);
  if (seconds >= 60 && seconds <= mostSeconds) return { kind: 'presigned', seconds };
  throw new InvalidArgumentError('Expected plain, base=https://… or presigned= with 1m to 7d, as 12h.');
}

/**
 * The address of a file by its path in the archive; undefined where paths are wanted.
 *
 * @throws CliError where the archive has no such addresses.
 */
export function addressesBy(links: LinksFlag, store: Pick<ArchiveStore, 'presign' | 'url'>) {
  if (links.kind === 'plain') return undefined;
  if (links.kind === 'base') return async (path: string) => `${links.url}/${path}`;
  const { presign } = store;
  if (presign) return (path: string) => presign(path, links.seconds);
  throw new CliError(
    `Cannot sign links to ${store.url}: it is a folder; use --links base=https://… where a server shows it`,
    exitCodes.usage,
  );
}
