import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { z } from 'zod';
import { type DeskContext, seeOther } from '../desk-env.js';
import { cookieName, cookieRules } from '../guard/cookie.js';

/*
 * A form is never answered at the address that takes it: a browser that loads such a page again, or comes back to it,
 * asks whether to send the form once more. What there is to say goes along to a page that can be loaded, in a cookie
 * that its first look uses up; so it needs no memory here, and any process that serves the desk can show it.
 */

const KeptAnswer = z.strictObject({
  /** The address that shows it. */
  at: z.string(),
  status: z.number().int().min(200).max(499),
  message: z.string(),
  /** A page of its own has a headline; without one it is a sentence on the page of the form. */
  title: z.string().optional(),
  next: z.strictObject({ path: z.string().regex(/^\/(?![/\\])/), text: z.string() }).optional(),
  /** Sentences that would be lost with the form. */
  written: z.array(z.string()).optional(),
  /** Fields of the form that are filled in again. */
  typed: z.record(z.string(), z.string()).optional(),
  requestId: z.string(),
});

/** What a form was answered, until it is looked at. */
export type KeptAnswer = z.infer<typeof KeptAnswer>;

/** Proxies give all headers of an answer 4 KB where nobody set more. */
const maxCharacters = 2_400;
const keptForS = 60;
const cookie = 'greenlight-answer';

/** Null where it is too much to go along. */
export function keepAnswer(c: DeskContext, answer: Omit<KeptAnswer, 'requestId'>): Response | null {
  const { site } = c.get('deps');
  const kept = Buffer.from(JSON.stringify({ ...answer, requestId: c.get('requestId') })).toString('base64url');
  if (kept.length > maxCharacters) return null;
  setCookie(c, cookieName(site, cookie), kept, { ...cookieRules(site), maxAge: keptForS });
  return seeOther(c, answer.at);
}

/** What is kept for this address; it is kept no longer then. */
export function takeAnswer(c: DeskContext, at: string): KeptAnswer | null {
  const { site } = c.get('deps');
  const text = getCookie(c, cookieName(site, cookie));
  const kept = text === undefined ? null : parse(text);
  if (kept?.at !== at) return null;
  deleteCookie(c, cookieName(site, cookie), cookieRules(site));
  return kept;
}

function parse(text: string): KeptAnswer | null {
  try {
    return KeptAnswer.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString())).data ?? null;
  } catch {
    return null;
  }
}
