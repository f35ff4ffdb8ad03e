import { isIP } from 'node:net';
import { isPublicAddress } from '../../api/public-address.js';
import type { ReferenceSource } from '../../domain/brief.js';
import { referenceIdForm } from '../../domain/interface-limits.js';
import type { Trouble } from '../../sheets/findings/finding.js';
import { sharePageFix } from './share-page.js';

/** What a cell names: a file still to be checked, or a complete source. */
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
  const [, name = ''] = otherScheme.exec(text) ?? [];
  if (name !== '') return refused('reference_url', text, otherAdvice(name.toLowerCase(), text));
  return { source: { kind: 'path', path: text }, troubles: [] };
}

/** Addresses without slashes. A single letter is a Windows drive. */
const otherScheme = /^(data|file|blob|mailto|cid|javascript):/i;

function otherAdvice(scheme: string, text: string): string {
  if (scheme === 'data') return 'it holds the file itself; save it as a file next to the manifest and name that';
  if (scheme !== 'file') return `${scheme}: is not fetched; use https://… or a path next to the manifest`;
  return `${scheme}: is not read; write the path next to the manifest alone, e.g. ${text.replace(/^file:\/*/i, '').slice(0, 80)}`;
}

function refused(code: string, before: string, message: string): ReferenceReading {
  return { source: null, troubles: [{ severity: 'error', code, message, before }] };
}

function readUrl(text: string, { allowPrivateAddresses }: ReferenceTextOptions): ReferenceReading {
  const refusedUrl = (code: string, message: string) => refused(code, text, message);
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url) return refusedUrl('reference_url', 'it is not a URL; use https://… or a path next to the manifest');
  const { protocol, username, password } = url;
  if (protocol === 'file:') return refusedUrl('reference_url', otherAdvice('file', text));
  if (protocol !== 'https:' && !(protocol === 'http:' && allowPrivateAddresses)) {
    return refusedUrl('reference_url', `${protocol}// is not fetched; use https://… or a path next to the manifest`);
  }
  if (username !== '' || password !== '') {
    return refusedUrl('reference_credentials', 'it carries a user name or password; use a link that needs none');
  }
  if (!allowPrivateAddresses && isPrivateHost(url.hostname)) {
    return refusedUrl('reference_private', `${url.hostname} is an address of a private network; use a public one`);
  }
  const fix = sharePageFix(url);
  const source = { kind: 'url', url: text, sha256: null } as const;
  if (fix === null) return { source, troubles: [] };
  const message = `it is a page that shows a file, not the file; ${fix}`;
  return { source, troubles: [{ severity: 'warning', code: 'share_page', message, before: text }] };
}

/** By its name alone; its addresses are checked when it is dialled. */
function isPrivateHost(hostname: string): boolean {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (isIP(host)) return !isPublicAddress(host);
  return !host.includes('.') || /\.(?:localhost|local|internal|intranet|lan|home|corp|home\.arpa)$/.test(host);
}
