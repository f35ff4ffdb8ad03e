import type { Installation } from '../installation.js';
import { openNoticeChannels } from './open-notice-channels.js';
import { sendNotices } from './send-notices.js';

/** Tells people by the channels that are set up, until what is returned is called; of many programs, one at a time does. */
export function tellPeople({
  config,
  ledger,
  clock,
}: Pick<Installation, 'config' | 'ledger' | 'clock'>): () => Promise<void> {
  return sendNotices({ ledger, channels: openNoticeChannels(config.notices), clock, deskUrl: config.desk.url });
}
