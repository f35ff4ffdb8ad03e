import { createHmac, timingSafeEqual } from 'node:crypto';
import { Problem } from './problem.js';

export interface SignedUrls {
  /** Path and query, from the version segment on. */
  sign(assetId: string, expiresMs: number): string;
  /** @throws Problem when the signature is invalid or has expired. */
  verify(assetId: string, query: URLSearchParams, nowMs: number): void;
}

const action = 'Cannot send file';

export function createSignedUrls(secret: Buffer): SignedUrls {
  const signatureOf = (assetId: string, expires: string) =>
    createHmac('sha256', secret).update(`asset\n${assetId}\n${expires}`).digest();
  return {
    sign(assetId, expiresMs) {
      const expires = String(Math.floor(expiresMs / 1000));
      return `/files/${assetId}?expires=${expires}&signature=${signatureOf(assetId, expires).toString('base64url')}`;
    },
    verify(assetId, query, nowMs) {
      const [expires, given] = [query.get('expires') ?? '', query.get('signature') ?? ''];
      const [actual, expected] = [Buffer.from(given, 'base64url'), signatureOf(assetId, expires)];
      if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) {
        throw new Problem('invalid_signature', `${action}: the URL was not issued by the assets list`);
      }
      if (Number(expires) * 1000 <= nowMs) {
        const ended = new Date(Number(expires) * 1000).toISOString();
        throw new Problem('url_expired', `${action}: the URL was valid until ${ended}, list the assets again`);
      }
    },
  };
}
