/** What to use instead of a link that opens a page around a file; null for every other link. */
export function sharePageFix(url: URL): string | null {
  const { hostname, pathname, searchParams } = url;
  if (hostname === 'drive.google.com') {
    const id =
      /^\/file\/(?:u\/\d+\/)?d\/([^/]+)/.exec(pathname)?.[1] ?? (pathname === '/open' ? searchParams.get('id') : null);
    return id ? `use https://drive.google.com/uc?export=download&id=${id}` : null;
  }
  if (hostname === 'docs.google.com') return /\/export/.test(pathname) ? null : 'export it and use the file';
  if (/(?:^|\.)dropbox\.com$/.test(hostname)) {
    return searchParams.get('dl') === '1' || searchParams.get('raw') === '1' || pathname.startsWith('/scl/zip')
      ? null
      : `use the same link with dl=1`;
  }
  if (hostname === '1drv.ms' || hostname === 'onedrive.live.com' || hostname.endsWith('.sharepoint.com')) {
    return searchParams.has('download')
      ? null
      : 'use its download link (…?download=1), or the file next to the manifest';
  }
  if (/(?:^|\.)(?:wetransfer\.com|we\.tl|icloud\.com|swisstransfer\.com)$/.test(hostname)) {
    return 'download the file and keep it next to the manifest';
  }
  if (hostname === 'github.com' && /^\/[^/]+\/[^/]+\/blob\//.test(pathname)) {
    return 'use the raw file (…/raw/… instead of …/blob/…)';
  }
  if (/(?:^|\.)(?:youtube\.com|youtu\.be|vimeo\.com|instagram\.com|pinterest\.[a-z]+)$/.test(hostname)) {
    return 'use the file itself';
  }
  return null;
}
