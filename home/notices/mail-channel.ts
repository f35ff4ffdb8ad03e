import { createTransport } from 'nodemailer';
import type { NoticeChannel } from './notice-channel.js';

export interface MailSettings {
  /** E.g. `smtps://user:password@mail.example:465`. */
  readonly smtpUrl: string;
  readonly from: string;
  /** Recipients of all notices, separated by commas; empty: nobody. */
  readonly to: string;
}

const timeoutMs = 20_000;

/** Sends plain-text e-mail to the people that a message is for; one thread for each subject. */
export function mailChannel({ smtpUrl, from, to }: MailSettings): NoticeChannel {
  const server = new URL(smtpUrl);
  const transport = createTransport({
    ...{ host: server.hostname, port: Number(server.port) || (server.protocol === 'smtps:' ? 465 : 587) },
    ...(server.username !== '' && {
      auth: { user: decodeURIComponent(server.username), pass: decodeURIComponent(server.password) },
    }),
    ...{ secure: server.protocol === 'smtps:', connectionTimeout: timeoutMs, greetingTimeout: timeoutMs },
    ...{ socketTimeout: timeoutMs, disableFileAccess: true, disableUrlAccess: true },
  });
  return {
    ...{ name: 'mail', isEndpoint: false },
    async send({ id, about, subject, lines, url, to: theirs }) {
      const everybody = [
        ...new Set([...to.split(','), ...theirs].map((one) => one.trim()).filter((one) => one !== '')),
      ];
      if (everybody.length === 0) return { kind: 'taken' };
      const thread = `<about-${about.replaceAll(/[^\w.-]/g, '_')}@greenlight>`;
      try {
        await transport.sendMail({
          ...{ from, to: everybody, subject, messageId: `<${id}@greenlight>`, inReplyTo: thread, references: thread },
          text: [...lines, ...(url === null ? [] : ['', url])].join('\n'),
        });
        return { kind: 'taken' };
      } catch (error) {
        return { kind: 'later', why: (error as Error).message, afterMs: null };
      }
    },
    close: () => transport.close(),
  };
}
