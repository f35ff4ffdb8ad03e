import { z } from 'zod';
import { ConfigError } from '../config-error.js';
import { isSafeAddress, secretsText } from '../webhook-settings.js';

const address = z.string().refine(isSafeAddress, { error: 'must be an https address' });

export const NoticeSettings = z.strictObject({
  chatUrl: address.optional().meta({
    env: 'GREENLIGHT_NOTICES_CHAT_URL',
    description: 'incoming webhook of Slack or of a compatible chat; gets approvals, stops and ends',
  }),
  webhookUrl: address.optional().meta({
    env: 'GREENLIGHT_NOTICES_WEBHOOK_URL',
    description: 'address of another system that gets the same, signed as in Standard Webhooks',
  }),
  webhookSecret: secretsText.optional().meta({
    env: 'GREENLIGHT_NOTICES_WEBHOOK_SECRET',
    description: '`whsec_…` shared with it; a space-separated pair during rotation; better kept out of files',
  }),
  smtpUrl: z
    .url({ protocol: /^smtps?$/, error: 'must be smtp://… or smtps://…' })
    .optional()
    .meta({
      env: 'GREENLIGHT_NOTICES_SMTP_URL',
      description: 'mail server, `smtps://user:password@host`; better kept out of files',
    }),
  mailFrom: z.string().min(3).optional().meta({
    env: 'GREENLIGHT_NOTICES_MAIL_FROM',
    description: 'sender of the e-mails',
  }),
  mailTo: z.string().min(3).optional().meta({
    env: 'GREENLIGHT_NOTICES_MAIL_TO',
    description:
      'recipients of all notices, separated by commas; people registered by mail address get those for their role',
  }),
});

export type NoticesConfig = z.infer<typeof NoticeSettings>;

/** @throws ConfigError when a part of a channel is missing. */
export function readNotices(settings: NoticesConfig): NoticesConfig {
  const { webhookUrl, webhookSecret, smtpUrl, mailFrom, mailTo } = settings;
  if ((webhookUrl === undefined) !== (webhookSecret === undefined)) {
    throw new ConfigError(
      'Cannot send notices: set both GREENLIGHT_NOTICES_WEBHOOK_URL and GREENLIGHT_NOTICES_WEBHOOK_SECRET',
    );
  }
  const isWhole = (smtpUrl === undefined) === (mailFrom === undefined);
  if (!isWhole || (mailTo !== undefined && smtpUrl === undefined)) {
    throw new ConfigError('Cannot send notices: set both GREENLIGHT_NOTICES_SMTP_URL and GREENLIGHT_NOTICES_MAIL_FROM');
  }
  return settings;
}
