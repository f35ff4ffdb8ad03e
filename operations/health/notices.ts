import type { Actor } from '../../domain/roles.js';
import { type ChannelHealth, channelHealth } from '../../ledger/notices/outbox.js';
import { turnOnChannel } from '../../ledger/notices/turn-on.js';
import type { OperationDeps } from '../deps.js';

/** What becomes of notices on each channel that was ever told something. */
export function listChannels({ ledger }: Pick<OperationDeps, 'ledger'>): Promise<readonly ChannelHealth[]> {
  return channelHealth(ledger);
}

/** Has an endpoint that was turned off tried again; what it was to tell is still there. */
export function turnOn(
  { ledger, clock }: Pick<OperationDeps, 'ledger' | 'clock'>,
  { channel, actor }: { readonly channel: string; readonly actor: Actor },
): Promise<void> {
  return turnOnChannel(ledger, { channel, actor, nowMs: clock() });
}
