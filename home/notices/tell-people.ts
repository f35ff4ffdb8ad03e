import type { Installation } from '../installation.js';
import { openNoticeChannels } from './open-notice-channels.js';
import { sendNotices } from './send-notices.js';

/** Sends notices on the configured channels until the returned function is called; one program at a time sends. */
export function tellPeople({
  config,
  ledger,
  clock,
}: Pick<Installation, 'config' | 'ledger' | 'clock'>): () => Promise<void> {
  return sendNotices({ ledger, channels: openNoticeChannels(config.notices), clock, deskUrl: config.desk.url });
}
