/** Where the sheet behind an address is got from. */
export interface SheetAddress {
  readonly download: string;
  /** As it is shown and audited, without what could be a signature. */
  readonly name: string;
  /** Whether a redirect may be followed there. */
  mayGoTo(url: URL): boolean;
  /** How whoever owns the sheet shares it. */
  readonly howToShare: string;
}

const shareInGoogle =
  'in Google Sheets: Share > General access > Anyone with the link > Viewer, or File > Share > Publish to web';
const googleHosts = /^(?:docs\.google\.com|(?:[a-z0-9-]+\.)+googleusercontent\.com)$/;

/** Whether a redirect leads to where people sign in. */
export function isSignIn({ hostname }: URL): boolean {
  return /(?:^|\.)(?:accounts|login)\./.test(hostname);
}

/** Whether a person named an address in the place of a file. */
export function isAddress(path: string): boolean {
  return /^https?:\/\//i.test(path);
}

/**
 * A Google Sheet by the address of its tab or its published page, and any other address of a CSV, XLSX, YAML or JSON
 * file.
 */
export function sheetAddress(text: string): SheetAddress | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.hostname === 'docs.google.com' && url.pathname.startsWith('/spreadsheets/')) return googleSheet(url);
  const { origin, host, pathname } = url;
  return {
    download: url.href,
    name: origin + pathname,
    // Elsewhere a redirect may lead from a short address to the file's own; not to plain http, nor to a sign-in page.
    mayGoTo: (target) => target.host === host || (target.protocol === 'https:' && !isSignIn(target)),
    howToShare: 'use an address that opens without signing in, or download the sheet and name the file',
  };
}

function googleSheet(url: URL): SheetAddress {
  const [, published] = /\/spreadsheets\/(?:u\/\d+\/)?d\/e\/([\w-]+)/.exec(url.pathname) ?? [];
  const [, id] = /\/spreadsheets\/(?:u\/\d+\/)?d\/([\w-]+)/.exec(url.pathname) ?? [];
  const gid = /[#&?]gid=(\d+)/.exec(url.search + url.hash)?.[1];
  const base = 'https://docs.google.com/spreadsheets/d';
  const download =
    published !== undefined
      ? `${base}/e/${published}/pub?output=csv${gid === undefined ? '' : `&single=true&gid=${gid}`}`
      : `${base}/${id}/export?${gid === undefined ? 'format=xlsx' : `format=csv&gid=${gid}`}`;
  return {
    download: published === undefined && id === undefined ? url.href : download,
    name: url.origin + url.pathname + (gid === undefined ? '' : `#gid=${gid}`),
    mayGoTo: ({ protocol, host }) => protocol === 'https:' && googleHosts.test(host),
    howToShare: shareInGoogle,
  };
}

/** The stem of the name that a server gives the file, as a campaign name may be; null where there is none. */
export function campaignOf(disposition: string | null, { name }: Pick<SheetAddress, 'name'>): string | null {
  const given =
    fileNameIn(disposition ?? '') ??
    (/\/([^/]+)\.(?:csv|tsv|xlsx|ya?ml|jsonl?)$/i.test(name) ? name.split('/').at(-1) : null);
  const stem = (given ?? '')
    .replace(/\.[A-Za-z0-9]+$/, '')
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '');
  const clean = stem
    .replace(/[^A-Za-z0-9._]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, 64)
    .toLowerCase();
  return clean === '' ? null : clean;
}

function fileNameIn(disposition: string): string | null {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(disposition) ?? [];
  if (encoded !== undefined) {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return null;
    }
  }
  return /filename="?([^";]+)"?/i.exec(disposition)?.[1] ?? null;
}
