import type { Actor } from '../../domain/roles.js';
import { type ChannelHealth, channelHealth } from '../../ledger/notices/outbox.js';
import { turnOnChannel } from '../../ledger/notices/turn-on.js';
import type { OperationDeps } from '../deps.js';

/** The state of each channel that ever received a notice. */
export function listChannels({ ledger }: Pick<OperationDeps, 'ledger'>): Promise<readonly ChannelHealth[]> {
  return channelHealth(ledger);
}

/** Turns an endpoint on again; its pending notices are still there. */
export function turnOn(
  { ledger, clock }: Pick<OperationDeps, 'ledger' | 'clock'>,
  { channel, actor }: { readonly channel: string; readonly actor: Actor },
): Promise<void> {
  return turnOnChannel(ledger, { channel, actor, nowMs: clock() });
}
