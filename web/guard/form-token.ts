import { createHmac, timingSafeEqual } from 'node:crypto';

/** The field of every form that carries the token. */
export const formTokenField = 'token';

/** What a page of this session proves itself by: only who has the session's cookie, or was shown the page, knows it. */
export function formTokenOf(sessionId: string): string {
  return createHmac('sha256', sessionId).update('form').digest('base64url');
}

export function isFormToken(given: unknown, token: string): boolean {
  if (typeof given !== 'string' || given.length !== token.length) return false;
  return timingSafeEqual(Buffer.from(given), Buffer.from(token));
}
