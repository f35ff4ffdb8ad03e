import { type Context, Hono } from 'hono';
import { Webhook } from 'standardwebhooks';
import { movieToLookAt } from './movie-event.js';

export interface WebhookReceiverDeps {
  /** Where events are sent to, beginning with a slash. */
  readonly path: string;
  /** `whsec_…`. Any of several is taken, so that one can be changed for another; with none, nothing is checked. */
  readonly secrets: readonly string[];
  /** Hears of each movie that an event makes worth a look. Must neither wait nor fail. */
  readonly tell: (movieId: string) => void;
}

/** An event carries a movie whose prompt of 8,000 characters may be escaped as `\ud83d\ude00`, 12 bytes each. */
const maxBodyBytes = 256 * 1024;

/**
 * Takes lifecycle events of the movie service. An event changes no state: it names a movie to look at. Whoever sends one
 * learns nothing from the answer, which is the same for any movie and is given before anybody looks.
 */
export function createWebhookReceiver({ path, secrets, tell }: WebhookReceiverDeps): Hono {
  const webhooks = secrets.map((secret) => new Webhook(secret));
  const app = new Hono();
  app.post(path, async (c) => {
    const text = await readText(c.req.raw);
    if (text === null) return tooLarge(c);
    if (webhooks.length > 0 && !webhooks.some((webhook) => isSigned(webhook, text, c.req.header()))) {
      return refuse(c, 401, 'its signature is not one of a known secret, or is more than 5 minutes old');
    }
    const body = parsed(text);
    if (typeof body !== 'object' || body === null) return refuse(c, 400, 'its body is not a JSON object');
    const movieId = movieToLookAt(body);
    if (movieId !== null) tell(movieId);
    return c.body(null, 204);
  });
  app.all(path, (c) => refuse(c, 405, `${c.req.method} is not allowed here, POST is`, { Allow: 'POST' }));
  app.onError((_, c) => refuse(c, 400, 'its body cannot be read'));
  return app.notFound((c) => refuse(c, 404, 'nothing is received here'));
}

/** Null for a body that is larger than any event: it is not read to its end, nor at all where it says so. */
async function readText(request: Request): Promise<string | null> {
  const announced = request.headers.get('content-length');
  // Cut by the server at what it announces, and read at once: 0.6 ms of CPU an event, 1.2 ms as a stream.
  if (announced !== null) return Number(announced) > maxBodyBytes ? null : request.text();
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of request.body ?? []) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxBodyBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** By Standard Webhooks, over the very bytes that came. */
function isSigned(webhook: Webhook, text: string, headers: Record<string, string>): boolean {
  try {
    webhook.verify(text, headers, { jsonParse: false });
    return true;
  } catch {
    return false;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The connection is of no use to a sender who is still sending. */
function tooLarge(c: Context): Response {
  return refuse(c, 413, `its body has more than ${maxBodyBytes} bytes`, { Connection: 'close' });
}

function refuse(
  c: Context,
  status: 400 | 401 | 404 | 405 | 413,
  why: string,
  headers: Record<string, string> = {},
): Response {
  return c.text(`Cannot take event: ${why}\n`, status, headers);
}
