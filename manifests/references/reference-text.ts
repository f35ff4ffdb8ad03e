import { isIP } from 'node:net';
import { isPublicAddress } from '../../api/public-address.js';
import type { ReferenceSource } from '../../domain/brief.js';
import { referenceIdForm } from '../../domain/interface-limits.js';
import type { Trouble } from '../../sheets/findings/finding.js';
import { sharePageFix } from './share-page.js';

/** What a cell names: a file still to be looked at, or a source that is complete. */
export interface ReferenceReading {
  readonly source: Exclude<ReferenceSource, { kind: 'file' }> | { readonly kind: 'path'; readonly path: string } | null;
  readonly troubles: readonly Trouble[];
}

export interface ReferenceTextOptions {
  /** Also plain `http` and addresses of private networks. */
  readonly allowPrivateAddresses: boolean;
}

const scheme = /^[a-z][a-z0-9+.-]*:\/\//i;

/** A path, an `https` URL or the id of an uploaded reference, as a cell writes it. */
export function readReferenceText(text: string, options: ReferenceTextOptions): ReferenceReading {
  if (referenceIdForm.test(text)) return { source: { kind: 'id', referenceId: text }, troubles: [] };
  if (scheme.test(text)) return readUrl(text, options);
  return { source: { kind: 'path', path: text }, troubles: [] };
}

function readUrl(text: string, { allowPrivateAddresses }: ReferenceTextOptions): ReferenceReading {
  const refused = (code: string, message: string): ReferenceReading => ({
    source: null,
    troubles: [{ severity: 'error', code, message, before: text }],
  });
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url) return refused('reference_url', 'it is no URL; use https://… or a path beside the manifest');
  const { protocol, username, password } = url;
  if (protocol !== 'https:' && !(protocol === 'http:' && allowPrivateAddresses)) {
    return refused('reference_url', `${protocol}// is not fetched; use https://… or a path beside the manifest`);
  }
  if (username !== '' || password !== '') {
    return refused('reference_credentials', 'it carries a user name or password; use a link that needs none');
  }
  if (!allowPrivateAddresses && isPrivateHost(url.hostname)) {
    return refused('reference_private', `${url.hostname} is an address of a private network; use a public one`);
  }
  const fix = sharePageFix(url);
  const source = { kind: 'url', url: text, sha256: null } as const;
  if (fix === null) return { source, troubles: [] };
  const message = `it is a page that shows a file, not the file; ${fix}`;
  return { source, troubles: [{ severity: 'warning', code: 'share_page', message, before: text }] };
}

/** By its name alone; where the name leads is checked when it is dialled. */
function isPrivateHost(hostname: string): boolean {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (isIP(host)) return !isPublicAddress(host);
  return !host.includes('.') || /\.(?:localhost|local|internal|intranet|lan|home|corp|home\.arpa)$/.test(host);
}
