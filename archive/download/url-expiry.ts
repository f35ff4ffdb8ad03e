/**
 * When a signed URL expires, in milliseconds since 1970, if its parameters say so; null when they do not.
 * Knows the forms of S3 and Google (`X-Amz-…`, `X-Goog-…`), CloudFront and plain epoch seconds (`Expires`, `exp`), and
 * Azure (`se`).
 */
export function urlExpiry(url: string): number | null {
  if (!URL.canParse(url)) return null;
  const query = new Map([...new URL(url).searchParams].map(([name, value]) => [name.toLowerCase(), value]));
  for (const prefix of ['x-amz', 'x-goog']) {
    const signedMs = compactDate(query.get(`${prefix}-date`));
    const seconds = digits(query.get(`${prefix}-expires`));
    if (signedMs !== null && seconds !== null) return signedMs + seconds * 1_000;
  }
  const epochSeconds = digits(query.get('expires')) ?? digits(query.get('exp'));
  if (epochSeconds !== null) return epochSeconds * 1_000;
  const azure = Date.parse(query.get('se') ?? '');
  return Number.isNaN(azure) ? null : azure;
}

function digits(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : null;
}

/** E.g. "20261103T100000Z". */
function compactDate(text: string | undefined): number | null {
  const parsed = Date.parse((text ?? '').replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  return Number.isNaN(parsed) ? null : parsed;
}
