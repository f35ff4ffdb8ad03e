import { secretsIn } from '../webhook-settings.js';
import { chatChannel } from './chat-channel.js';
import { mailChannel } from './mail-channel.js';
import type { NoticeChannel } from './notice-channel.js';
import type { NoticesConfig } from './notice-settings.js';
import { webhookChannel } from './webhook-channel.js';

/** Opens the configured channels. */
export function openNoticeChannels(config: NoticesConfig): readonly NoticeChannel[] {
  const { chatUrl, webhookUrl, webhookSecret, smtpUrl, mailFrom, mailTo } = config;
  return [
    ...(chatUrl === undefined ? [] : [chatChannel(chatUrl)]),
    ...(webhookUrl === undefined ? [] : [webhookChannel({ url: webhookUrl, secrets: secretsIn(webhookSecret ?? '') })]),
    ...(smtpUrl && mailFrom ? [mailChannel({ smtpUrl, from: mailFrom, to: mailTo ?? '' })] : []),
  ];
}
