import { Webhook } from 'standardwebhooks';
import type { NoticeChannel } from './notice-channel.js';
import { createPoster } from './post.js';

/**
 * Sends to another system's endpoint, per Standard Webhooks: the id is the same at each attempt, and during a rotation
 * of secrets each message is signed with all of them.
 */
export function webhookChannel({
  url,
  secrets,
}: {
  readonly url: string;
  readonly secrets: readonly string[];
}): NoticeChannel {
  const poster = createPoster(url);
  const signers = secrets.map((secret) => new Webhook(secret));
  return {
    ...{ name: 'webhook', isEndpoint: true },
    send({ id, kind, about, atMs, subject, url: link, roles }) {
      const timestamp = new Date(atMs).toISOString();
      const body = JSON.stringify({
        type: `greenlight.${kind}`,
        timestamp,
        data: { about, summary: subject, url: link, roles },
      });
      const now = new Date();
      const messageId = `msg_${id}`;
      return poster.post(body, {
        'Content-Type': 'application/json',
        'webhook-id': messageId,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
        'webhook-signature': signers.map((signer) => signer.sign(messageId, now, body)).join(' '),
      });
    },
    close: poster.close,
  };
}
